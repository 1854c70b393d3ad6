/** How a site is, where anything is known of it. */
export interface SiteState {
  readonly id: string;
  readonly name: string;
  readonly healthy: boolean;
  readonly reason?: string | undefined;
}

/** A state counts once it was seen this often in a row, so that one lost report wakes nobody. */
const settledAfter = 2;

/** Tells which sites went down or came up. What it sees of a site first counts as a change, for we may have been down. */
export class SiteWatch {
  readonly #told = new Map<string, boolean>();
  readonly #seen = new Map<string, { readonly healthy: boolean; readonly times: number }>();

  /** @returns the sites whose state settled to another than the last one told */
  changes(states: readonly SiteState[]): SiteState[] {
    const present = new Set(states.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#forget(id);
    return states.filter((state) => this.#changed(state));
  }

  #changed({ id, healthy }: SiteState): boolean {
    const before = this.#seen.get(id);
    const times = before?.healthy === healthy ? before.times + 1 : 1;
    this.#seen.set(id, { healthy, times });
    if (times < settledAfter || this.#told.get(id) === healthy) return false;
    this.#told.set(id, healthy);
    return true;
  }

  #forget(id: string): void {
    this.#seen.delete(id);
    this.#told.delete(id);
  }
}
