/**
 * Milliseconds at least between the first checks of two upstreams. Each goes on from its own first one, so this is also
 * what spreads ten thousand checks over their interval.
 */
const betweenFirstMs = 2;

/**
 * Lets one check begin in each turn of the event loop: of many that are due at once, as after the loop was late, each
 * takes a third of a millisecond, and requests go in between.
 */
export class Gate {
  readonly #due = new Set<() => void>();
  readonly #first = new Set<() => void>();
  #dueNext: NodeJS.Immediate | undefined;
  #firstNext: NodeJS.Timeout | undefined;

  /** @param begin called once, soon */
  enter(begin: () => void): void {
    this.#due.add(begin);
    this.#dueNext ??= setImmediate(() => this.#passDue());
  }

  /** As {@link enter}, for one of maybe thousands that all begin to be checked. */
  enterFirst(begin: () => void): void {
    this.#first.add(begin);
    this.#firstNext ??= setTimeout(() => this.#passFirst(), 0);
  }

  leave(begin: () => void): void {
    this.#due.delete(begin);
    this.#first.delete(begin);
  }

  #passDue(): void {
    takeFrom(this.#due)?.();
    this.#dueNext = this.#due.size > 0 ? setImmediate(() => this.#passDue()) : undefined;
  }

  #passFirst(): void {
    takeFrom(this.#first)?.();
    this.#firstNext = this.#first.size > 0 ? setTimeout(() => this.#passFirst(), betweenFirstMs) : undefined;
  }
}

function takeFrom(waiting: Set<() => void>): (() => void) | undefined {
  const [next] = waiting;
  if (next) waiting.delete(next);
  return next;
}
