import { PerClient } from './per-client.ts';

/** Counts the requests that each client has under way. */
export class ConcurrencyGate extends PerClient {
  /**
   * @param max 0 sets no bound
   * @returns false where the client has `max` requests under way already; true asks for one {@link leave}
   */
  enter(client: string, max: number): boolean {
    if (max > 0 && this.of(client) >= max) return false;
    this.add(client, 1);
    return true;
  }

  leave(client: string): void {
    if (this.of(client) > 0) this.add(client, -1);
  }
}
