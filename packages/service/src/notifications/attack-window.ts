import type { SecurityEvent } from '@portcullis/contract/events';
import type { AttackMinute } from './messages.ts';

const windowMs = 60_000;
/** Bounds memory in a flood: beyond it, the oldest events of the window are forgotten. */
const maxEntries = 5000;

interface Entry {
  readonly at: number;
  readonly count: number;
  readonly site: string;
  readonly category: string;
  readonly address: string;
}

const attackKinds: ReadonlySet<string> = new Set(['detection', 'custom_rule', 'protocol']);
const isAttack = (event: SecurityEvent) => attackKinds.has(event.kind) && event.decision !== 'pass';

function tally(entries: readonly Entry[], name: (entry: Entry) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(name(entry), (counts.get(name(entry)) ?? 0) + entry.count);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The attacks of the last minute, by when they were told to us. */
export class AttackWindow {
  #entries: Entry[] = [];

  /** @param siteName name of a site by its id; undefined for one that is gone */
  add(events: readonly SecurityEvent[], now: number, siteName: (id: string) => string | undefined): void {
    // Old events, which a gateway had spooled while we were down, are no attack of now.
    const attacks = events.filter((event) => isAttack(event) && event.time > now - windowMs);
    const entries = attacks.map((event) => ({
      at: now,
      count: event.count,
      site: siteName(event.siteId ?? '') ?? event.host,
      category: event.category ?? event.kind,
      address: event.clientIp,
    }));
    this.#entries = [...this.#entries, ...entries].slice(-maxEntries);
  }

  /** @returns the last minute where it holds as many attacks as the threshold or more */
  over(threshold: number, now: number): AttackMinute | undefined {
    this.#entries = this.#entries.filter(({ at }) => at > now - windowMs);
    const count = this.#entries.reduce((sum, entry) => sum + entry.count, 0);
    if (count < threshold) return undefined;
    return {
      count,
      threshold,
      sites: tally(this.#entries, ({ site }) => site),
      categories: tally(this.#entries, ({ category }) => category),
      addresses: tally(this.#entries, ({ address }) => address),
    };
  }
}
