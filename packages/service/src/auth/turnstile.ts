/**
 * Lets one piece of work at a time through for each key. Guesses that are sent at once would otherwise all pass
 * before the first one is counted.
 */
export class Turnstile {
  readonly #last = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, number>();
  readonly #maxWaiting: number;
  readonly #maxInAll: number;
  #inAll = 0;

  /**
   * @param maxWaiting how many may stand behind the one who is through
   * @param maxInAll how many may be there under all keys: each takes time of the threads that files and names need too
   */
  constructor(maxWaiting = 20, maxInAll = 100) {
    this.#maxWaiting = maxWaiting;
    this.#maxInAll = maxInAll;
  }

  /** @returns undefined, without running it, where too many wait already */
  async pass<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const waiting = this.#waiting.get(key) ?? 0;
    if (waiting > this.#maxWaiting || this.#inAll >= this.#maxInAll) return undefined;
    this.#inAll += 1;
    this.#waiting.set(key, waiting + 1);
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    try {
      await before;
      return await work();
    } finally {
      resolve();
      this.#inAll -= 1;
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else {
        this.#waiting.delete(key);
        this.#last.delete(key);
      }
    }
  }
}
