import { Line, type Place } from './line.ts';

interface Entry<V> {
  readonly key: string;
  value: V;
}

/**
 * A memory of bounded size that forgets what nobody has asked for the longest. Asking for what is known changes no
 * Map: the usual order by `delete` and `set` would leave a chain of garbage, see docs/decisions/024.
 */
export class Recent<V> {
  readonly #max: number;
  readonly #line = new Line<Entry<V>>();
  readonly #places = new Map<string, Place<Entry<V>>>();

  /** @param max entries, at least one */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#places.size;
  }

  /** @returns what is remembered, which is then the last to be forgotten */
  get(key: string): V | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    this.#line.moveToEnd(place);
    return place.value.value;
  }

  /** @returns what is remembered, without keeping it from being forgotten */
  peek(key: string): V | undefined {
    return this.#places.get(key)?.value.value;
  }

  set(key: string, value: V): void {
    const place = this.#places.get(key);
    if (place !== undefined) {
      place.value.value = value;
      this.#line.moveToEnd(place);
      return;
    }
    const oldest = this.#line.first;
    if (oldest !== undefined && this.#places.size >= this.#max) {
      this.#line.leave(oldest);
      this.#places.delete(oldest.value.key);
    }
    this.#places.set(key, this.#line.join({ key, value }));
  }
}
