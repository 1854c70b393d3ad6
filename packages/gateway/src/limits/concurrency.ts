/** Clients without a request that are remembered before they are swept away. */
const maxIdle = 1024;

/**
 * Counts the requests that each client has under way. Who has none left stays with a count of zero, up to
 * {@link maxIdle} or as many as are under way: to delete and to set again for each request would leave a chain of
 * garbage, see docs/decisions/024.
 */
export class ConcurrencyGate {
  #underWay = new Map<string, number>();
  #clients = 0;

  /** who has a request under way */
  get clients(): number {
    return this.#clients;
  }

  /** who is remembered */
  get size(): number {
    return this.#underWay.size;
  }

  /**
   * @param max 0 sets no bound
   * @returns false where the client has `max` requests under way already; true asks for one {@link leave}
   */
  enter(client: string, max: number): boolean {
    const count = this.#underWay.get(client) ?? 0;
    if (max > 0 && count >= max) return false;
    if (count === 0) this.#clients++;
    this.#underWay.set(client, count + 1);
    return true;
  }

  leave(client: string): void {
    const count = this.#underWay.get(client) ?? 0;
    if (count === 0) return;
    this.#underWay.set(client, count - 1);
    if (count > 1) return;
    this.#clients--;
    if (this.#underWay.size - this.#clients > Math.max(maxIdle, this.#clients)) this.#sweep();
  }

  #sweep(): void {
    const underWay = new Map<string, number>();
    for (const [client, count] of this.#underWay) if (count > 0) underWay.set(client, count);
    this.#underWay = underWay;
  }
}
