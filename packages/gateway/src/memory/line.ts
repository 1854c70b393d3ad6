/** Where something stands in a {@link Line}; to be handed back to leave it. */
export interface Place<T> {
  readonly value: T;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

/**
 * What is under way, in the order of its beginning: to join and to leave costs a few writes and leaves nothing behind.
 * A Map or Set would leave chains of garbage, see docs/decisions/024.
 */
export class Line<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): Place<T> | undefined {
    return this.#first;
  }

  /** Joins at the end. */
  join(value: T): Place<T> {
    const place: Place<T> = { value, before: undefined, after: undefined };
    this.#append(place);
    this.#size++;
    return place;
  }

  /** To be called once for each place that {@link join} gave. */
  leave(place: Place<T>): void {
    this.#unlink(place);
    this.#size--;
  }

  /** Goes to the end, as if it had just joined. */
  moveToEnd(place: Place<T>): void {
    if (place === this.#last) return;
    this.#unlink(place);
    this.#append(place);
  }

  /** From the one that has been there for longest; each may leave while it is looked at. */
  *[Symbol.iterator](): Generator<T, void> {
    let place = this.#first;
    while (place !== undefined) {
      const { value, after } = place;
      yield value;
      place = after;
    }
  }

  #append(place: Place<T>): void {
    place.before = this.#last;
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
  }

  /** Who has left forgets its neighbours: an old one, dead but not yet collected, would keep the young alive. */
  #unlink(place: Place<T>): void {
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    place.before = undefined;
    place.after = undefined;
  }
}
