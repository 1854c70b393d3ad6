/** How much memory this process takes, as far as that can be known. */
export class Resident {
  readonly #ask: () => number;
  #last = 0;

  /** @param ask the system's, but in tests */
  constructor(ask: () => number = () => process.memoryUsage.rss()) {
    this.#ask = ask;
  }

  /** Bytes; where the process is out of descriptors, of which asking takes one, what was last known. Never throws. */
  get bytes(): number {
    try {
      this.#last = this.#ask();
    } catch {
      // A report that says a little less is worth more than none, now of all times.
    }
    return this.#last;
  }
}
