/** How many connections may be open, and from which number on one client gets no more while places are scarce. */
export interface Places {
  readonly all: number;
  /** 0 sets no bound */
  readonly perClient: number;
}

/**
 * Counts the open connections of each client. While there is room everybody may have as many as they like, for behind
 * one address there may be an office; once half of all places are taken, nobody gets more than their share, so that one
 * client that opens connections without using them (Slowloris) leaves room for the others.
 */
export class ConnectionShares {
  readonly #open = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** @returns false where the client holds its share already; true asks for one {@link leave} */
  enter(client: string, { all, perClient }: Places): boolean {
    const own = this.#open.get(client) ?? 0;
    if (perClient > 0 && own >= perClient && this.#total >= all / 2) return false;
    this.#open.set(client, own + 1);
    this.#total++;
    return true;
  }

  leave(client: string): void {
    const own = this.#open.get(client) ?? 0;
    if (own === 0) return;
    this.#total--;
    if (own === 1) this.#open.delete(client);
    else this.#open.set(client, own - 1);
  }
}
