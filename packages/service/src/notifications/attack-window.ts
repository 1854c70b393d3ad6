import type { SecurityEvent } from '@portcullis/contract/events';
import type { AttackTally } from '@portcullis/contract/link';
import type { AttackMinute } from './messages.ts';

const windowMs = 60_000;
/** Bounds memory in a flood: beyond it, the oldest events of the window are forgotten. */
const maxEntries = 5000;

interface Entry extends AttackTally {
  readonly at: number;
}

const attackKinds: ReadonlySet<string> = new Set(['detection', 'custom_rule', 'protocol']);
const isAttack = ({ kind, decision }: SecurityEvent) =>
  attackKinds.has(kind) && decision !== 'pass' && decision !== 'allow';

function tally(entries: readonly Entry[], name: (entry: Entry) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(name(entry), (counts.get(name(entry)) ?? 0) + entry.count);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/**
 * @param siteName name of a site by its id; undefined for one that is gone
 * @returns the attacks among events, those of one address on one site summed up
 */
export function attacksIn(
  events: readonly SecurityEvent[],
  now: number,
  siteName: (id: string) => string | undefined,
): AttackTally[] {
  const tallies = new Map<string, AttackTally>();
  // Old events, which a gateway had spooled while we were down, are no attack of now.
  for (const event of events.filter((one) => isAttack(one) && one.time > now - windowMs)) {
    const site = siteName(event.siteId ?? '') ?? event.host;
    const category = event.category ?? event.kind;
    const key = JSON.stringify([site, category, event.clientIp]);
    const count = (tallies.get(key)?.count ?? 0) + event.count;
    tallies.set(key, { count, site, category, address: event.clientIp });
  }
  return [...tallies.values()];
}

/** The attacks of the last minute, by when they were told to us. */
export class AttackWindow {
  #entries: Entry[] = [];

  add(attacks: readonly AttackTally[], now: number): void {
    const entries = attacks.map((attack) => ({ ...attack, at: now }));
    this.#entries = [...this.#entries, ...entries].slice(-maxEntries);
  }

  /** @returns the last minute where it holds as many attacks as the threshold or more */
  over(threshold: number, now: number): AttackMinute | undefined {
    // On both sides, for the clock may have been set back.
    this.#entries = this.#entries.filter(({ at }) => Math.abs(now - at) < windowMs);
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
