/**
 * Lets a few pieces of work be under way at a time, and the others follow in the order in which they came. Twenty
 * exports that each read as fast as they can would else hold every connection and every turn of the loop, and a call
 * of a person waits a second for its own.
 */
export class PageTurns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param atOnce one that waits for the database leaves room for one that is put into text */
  constructor(atOnce = 2) {
    this.#free = atOnce;
  }

  /** @returns what the work comes to, once its turn has come; rejects as it does */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
