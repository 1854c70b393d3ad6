/** Counts the requests that each client has under way. Holds no more clients than there are open requests. */
export class ConcurrencyGate {
  readonly #underWay = new Map<string, number>();

  get clients(): number {
    return this.#underWay.size;
  }

  /**
   * @param max 0 sets no bound
   * @returns false where the client has `max` requests under way already; true asks for one {@link leave}
   */
  enter(client: string, max: number): boolean {
    const count = this.#underWay.get(client) ?? 0;
    if (max > 0 && count >= max) return false;
    this.#underWay.set(client, count + 1);
    return true;
  }

  leave(client: string): void {
    const count = this.#underWay.get(client) ?? 0;
    if (count > 1) this.#underWay.set(client, count - 1);
    else this.#underWay.delete(client);
  }
}
