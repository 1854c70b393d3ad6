import path from 'node:path';
import type { ConfigSnapshot, GatewayReport } from '@portcullis/contract/link';
import type { Log } from '../log.ts';
import type { Configuration } from '../sites/index.ts';
import { atOnce, betweenRequests, type Steps } from '../steps.ts';
import { loadLastGood, setAside } from './last-good.ts';
import { LastGoodWriter } from './last-good-writer.ts';
import { type ReadSnapshot, readSnapshot, SoundSites, weightOf } from './read-snapshot.ts';

/** Above so many sites' worth a swap is done between requests: it would hold them up for longer than 20 ms. */
const maxAtOnce = 100;

export interface InForceOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** throws with a sentence where the snapshot cannot be put in force */
  readonly compile: (snapshot: ConfigSnapshot) => Steps<Configuration>;
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
  readonly #writer: LastGoodWriter;
  #current: Configuration | undefined;
  #refused: GatewayReport['refused'];
  #toSave: ConfigSnapshot | undefined;
  #saving: Promise<void> = Promise.resolve();
  #problem: string | undefined;
  /** the newest snapshot that came while another one is looked at */
  #next: { readonly received: unknown } | undefined;
  #changing: Promise<void> | undefined;
  readonly #soundSites = new SoundSites();

  constructor(options: InForceOptions) {
    this.#options = options;
    this.#file = path.join(options.dataDir, 'gateway', 'last-good.json');
    this.#writer = new LastGoodWriter(this.#file);
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
        const problem = this.#current ? undefined : atOnce(this.#swap(stored.snapshot));
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

  /**
   * Takes a snapshot from the control plane, as it came off the link. A large one is in force some turns of the event
   * loop later; of several that come meanwhile the newest counts.
   */
  apply(received: unknown): void {
    if (this.#changing === undefined && weightOf(received) <= maxAtOnce) {
      atOnce(this.#take(received));
      return;
    }
    this.#next = { received };
    this.#changing ??= this.#changeBetweenRequests();
  }

  /** Resolves once what was last put in force is on disk. Nothing may be applied any more. */
  async close(): Promise<void> {
    await this.#changing;
    await this.#saving;
    await this.#writer.close();
  }

  async #changeBetweenRequests(): Promise<void> {
    try {
      while (this.#next !== undefined) {
        const { received } = this.#next;
        this.#next = undefined;
        await betweenRequests(this.#take(received));
      }
    } finally {
      this.#changing = undefined;
    }
  }

  *#take(received: unknown): Steps<void> {
    const { log } = this.#options;
    const read = yield* readSnapshot(received, this.#soundSites);
    const problem = read.success ? yield* this.#swap(read.data) : whyUnreadable(read);
    const version = versionOf(received);
    if (problem !== undefined) {
      this.#refused = { version, reason: problem.slice(0, 4096) };
      log.error('A configuration was refused; the one before stays in force', { version, reason: problem });
      return;
    }
    this.#refused = undefined;
    if (read.success) this.#save(read.data);
  }

  *#swap(snapshot: ConfigSnapshot): Steps<string | undefined> {
    try {
      this.#current = yield* this.#options.compile(snapshot);
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
        await this.#writer.save(newest);
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
function whyUnreadable({ issues }: Extract<ReadSnapshot, { success: false }>): string {
  const link = issues.find(({ path: [first] }) => first === 'linkVersion' || first === 'linkCompatibleFrom');
  if (link) return `It ${link.message}`;
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

function versionOf(received: unknown): number {
  const version =
    typeof received === 'object' && received !== null && 'version' in received ? received.version : 0;
  return typeof version === 'number' && Number.isInteger(version) ? version : 0;
}
