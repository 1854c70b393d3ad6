import { uptime } from 'node:os';

const dayMs = 86_400_000;

/** A clock that goes forward by more than this was set, or the machine stood still; ages are counted in days. */
const maxStepMs = dayMs;

/** So long it must keep its new time before anything is lost by it. */
const keptForMs = dayMs;

/** Whether the clock can be believed when it makes everything old at once. */
export class ClockDoubt {
  readonly #now: () => number;
  readonly #elapsed: () => number;
  /** what the clock that is believed is ahead of the one that only counts */
  #lead: number;
  /** that lead when the clock was last looked at */
  #seen: number;
  #doubt: { readonly since: number; readonly reason: string } | undefined;

  /**
   * @param now Unix milliseconds
   * @param elapsed milliseconds that nobody sets; absent: since the machine was started, its sleep among them
   */
  constructor(now: () => number, elapsed: () => number = () => uptime() * 1000) {
    this.#now = now;
    this.#elapsed = elapsed;
    this.#lead = now() - elapsed();
    this.#seen = this.#lead;
  }

  /** Why nothing may be dropped for its age now, as told to people; undefined where it may. To be asked often. */
  get reason(): string | undefined {
    const elapsed = this.#elapsed();
    const lead = this.#now() - elapsed;
    const ahead = lead - this.#lead;
    const before = this.#doubt;
    // Against the last look: where sleep is not counted, a machine that sleeps every night moves on every night.
    const known = before !== undefined && Math.abs(lead - this.#seen) <= maxStepMs;
    this.#seen = lead;
    if (ahead <= maxStepMs || (known && elapsed - before.since >= keptForMs)) {
      this.#lead = lead;
      this.#doubt = undefined;
    } else if (!known) {
      const days = Math.floor(ahead / dayMs);
      const reason = `The clock went forward by ${days} d: nothing is dropped for its age until it has kept that time for a day`;
      this.#doubt = { since: elapsed, reason };
    }
    return this.#doubt?.reason;
  }
}
