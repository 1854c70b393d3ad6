import path from 'node:path';
import { ConfigSnapshot, type GatewayReport } from '@portcullis/contract/link';
import type { z } from 'zod';
import type { Log } from '../log.ts';
import type { Configuration } from '../sites/index.ts';
import { loadLastGood, saveLastGood, setAside } from './last-good.ts';

export interface InForceOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** throws with a sentence where the snapshot cannot be put in force */
  readonly compile: (snapshot: ConfigSnapshot) => Configuration;
  /** called after each swap */
  readonly onSwap: (configuration: Configuration) => void;
}

/**
 * Holds the one configuration that requests see. A new snapshot is validated and compiled first and swapped in
 * between two requests; one that fails is refused whole and the old one stays.
 */
export class InForce {
  readonly #options: InForceOptions;
  readonly #file: string;
  #current: Configuration | undefined;
  #refused: GatewayReport['refused'];
  #toSave: ConfigSnapshot | undefined;
  #saving: Promise<void> = Promise.resolve();
  #problem: string | undefined;

  constructor(options: InForceOptions) {
    this.#options = options;
    this.#file = path.join(options.dataDir, 'gateway', 'last-good.json');
  }

  get current(): Configuration | undefined {
    return this.#current;
  }

  /** the newest snapshot that was refused, until a good one arrives */
  get refused(): GatewayReport['refused'] {
    return this.#refused;
  }

  /** why the configuration is not on disk for the next start; undefined while it is */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes up the last good configuration from disk, unless a newer one is already in force. Never rejects. */
  async restore(): Promise<void> {
    const { log } = this.#options;
    try {
      let stored = await loadLastGood(this.#file);
      if (stored.found === 'snapshot') {
        const problem = this.#current ? undefined : this.#swap(stored.snapshot);
        if (problem !== undefined) stored = await setAside(this.#file, problem);
        else log.info('Serving the last good configuration', { version: stored.snapshot.version });
      }
      if (stored.found === 'broken') {
        const { reason, setAsideAs } = stored;
        log.error(`The stored configuration cannot be used and was set aside as ${setAsideAs}`, { reason });
      }
    } catch (error) {
      log.error('The stored configuration cannot be read', { file: this.#file, reason: String(error) });
    }
  }

  /** Takes a snapshot from the control plane, as it came off the link. */
  apply(received: unknown): void {
    const { log } = this.#options;
    const parsed = ConfigSnapshot.safeParse(received);
    const problem = parsed.success ? this.#swap(parsed.data) : whyUnreadable(parsed.error);
    const version = versionOf(received);
    if (problem !== undefined) {
      this.#refused = { version, reason: problem.slice(0, 4096) };
      log.error('A configuration was refused; the one before stays in force', { version, reason: problem });
      return;
    }
    this.#refused = undefined;
    if (parsed.success) this.#save(parsed.data);
  }

  /** Resolves once what was last put in force is on disk. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #swap(snapshot: ConfigSnapshot): string | undefined {
    try {
      this.#current = this.#options.compile(snapshot);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    this.#options.onSwap(this.#current);
    return undefined;
  }

  /** One write at a time; of several waiting snapshots only the newest is written. */
  #save(snapshot: ConfigSnapshot): void {
    const waiting = this.#toSave !== undefined;
    this.#toSave = snapshot;
    if (waiting) return;
    this.#saving = this.#saving.then(async () => {
      const newest = this.#toSave;
      this.#toSave = undefined;
      if (newest === undefined) return;
      try {
        await saveLastGood(this.#file, newest);
        this.#problem = undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#problem = `The configuration cannot be stored for the next start (${reason.slice(0, 300)})`;
        this.#options.log.error('The configuration could not be stored for the next start', {
          file: this.#file,
          reason: String(error),
        });
      }
    });
  }
}

/** Where the two ends speak different versions of the link, that alone: the rest follows from it. */
function whyUnreadable({ issues }: z.ZodError): string {
  const link = issues.find(({ path: [first] }) => first === 'linkVersion' || first === 'linkCompatibleFrom');
  if (link) return `It ${link.message}`;
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

function versionOf(received: unknown): number {
  const version =
    typeof received === 'object' && received !== null && 'version' in received ? received.version : 0;
  return typeof version === 'number' && Number.isInteger(version) ? version : 0;
}
