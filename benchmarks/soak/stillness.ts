const beatMs = 100;

/** How long this process was held still: its own clients and upstreams were then as slow as the machine was busy. */
export class Stillness {
  #beatAt = performance.now();
  #longest = { ms: 0, endedAt: 0 };
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#beat(), beatMs).unref();
  }

  /** @returns milliseconds, of the longest stillness that ended after this moment */
  since(startedAt: number): number {
    this.#beat();
    return this.#longest.endedAt >= startedAt ? this.#longest.ms : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    const ms = now - this.#beatAt - beatMs;
    this.#beatAt = now;
    // An hour-old one must not hide what is going on now.
    if (ms >= this.#longest.ms || now - this.#longest.endedAt > 60_000) this.#longest = { ms, endedAt: now };
  }
}
