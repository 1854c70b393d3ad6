import { Stillness } from './stillness.ts';

/** What one kind of traffic came to. */
export interface Count {
  done: number;
  /** answers that a client did not deserve, in a few words each */
  readonly wrong: Map<string, number>;
  /** exchanges that the gateway rightly ended, for it was the soak itself that was held still */
  ownFault: number;
  readonly latenciesMs: number[];
}

/** Latencies kept for each kind: enough for a percentile, too few to matter. */
const maxLatencies = 200_000;

/**
 * Milliseconds for which the gateway waits for a handshake. A client that is held still for as long within one is let
 * go, and hears of it as "socket hang up" when it wakes: its own flight came in time, the rest did not.
 */
const gatewayWaitsMs = 10_000;

/** Counts a soak's traffic by kind. */
export class Tally {
  readonly kinds = new Map<string, Count>();
  readonly #stillness = new Stillness();

  stop(): void {
    this.#stillness.stop();
  }

  /** Runs one exchange; what it throws is what went wrong with it. */
  async run(kind: string, work: () => Promise<void>): Promise<void> {
    let count = this.kinds.get(kind);
    if (count === undefined) {
      count = { done: 0, wrong: new Map(), ownFault: 0, latenciesMs: [] };
      this.kinds.set(kind, count);
    }
    const startedAt = performance.now();
    try {
      await work();
    } catch (error) {
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const why = `${(error instanceof Error ? error.message : String(error)).slice(0, 80)}, after ${seconds} s`;
      if (this.#stillness.since(startedAt) >= gatewayWaitsMs) count.ownFault++;
      else count.wrong.set(why, (count.wrong.get(why) ?? 0) + 1);
    }
    count.done++;
    if (count.latenciesMs.length < maxLatencies) count.latenciesMs.push(performance.now() - startedAt);
  }
}

/** @throws with what was seen instead, which {@link Tally.run} counts */
export function must(condition: boolean, seen: string): void {
  if (!condition) throw new Error(seen);
}
