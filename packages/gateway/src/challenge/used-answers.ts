/** Remembers which tokens were tried, so that a picture takes one guess and a solution buys one pass. */
export class UsedAnswers {
  readonly #salts = new Set<string>();
  readonly #max: number;

  /** Beyond `max` the oldest is forgotten; tokens live five minutes. */
  constructor(max = 50_000) {
    this.#max = max;
  }

  /** @returns false where the salt was used before */
  use(salt: string): boolean {
    if (this.#salts.has(salt)) return false;
    this.#salts.add(salt);
    if (this.#salts.size > this.#max) {
      const oldest = this.#salts.keys().next();
      if (!oldest.done) this.#salts.delete(oldest.value);
    }
    return true;
  }
}
