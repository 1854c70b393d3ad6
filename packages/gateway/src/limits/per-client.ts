/** Clients with nothing left that are remembered before they are swept away. */
const maxIdle = 1024;

/**
 * An amount for each client. Who has nothing left stays with zero, up to {@link maxIdle} or as many as have something:
 * to delete and to set again for each request would leave a chain of garbage, see docs/decisions/024.
 */
export class PerClient {
  #amounts = new Map<string, number>();
  #clients = 0;

  /** who has something */
  get clients(): number {
    return this.#clients;
  }

  /** who is remembered */
  get size(): number {
    return this.#amounts.size;
  }

  of(client: string): number {
    return this.#amounts.get(client) ?? 0;
  }

  add(client: string, amount: number): void {
    if (amount === 0) return;
    const before = this.of(client);
    const after = before + amount;
    this.#amounts.set(client, after);
    if (before === 0) this.#clients++;
    if (after > 0) return;
    this.#clients--;
    if (this.#amounts.size - this.#clients > Math.max(maxIdle, this.#clients)) this.#sweep();
  }

  #sweep(): void {
    const amounts = new Map<string, number>();
    for (const [client, amount] of this.#amounts) if (amount > 0) amounts.set(client, amount);
    this.#amounts = amounts;
  }
}
