import { Line, type Place } from '../memory/index.ts';
import { PerClient } from './per-client.ts';

/** What was taken for one request, to be given back once. */
export interface Holder {
  heldBytes: number;
  /** whose request it is; without one it stands in nobody's share */
  readonly client?: string;
  /** where it stands among those whose bodies are still arriving */
  arrival?: Place<Arrival> | undefined;
}

/** A body that is still arriving, and how to stop it. */
interface Arrival {
  readonly holder: Holder;
  readonly giveWay: () => void;
}

/** What one client may hold in several requests once half of all is taken: this part of the whole. */
const shares = 8;

/**
 * The memory of this process for what is held back of bodies while they are inspected. Each of them is bounded by
 * itself, but many clients together are not. Where it is used up, the body that has been arriving for longest gives
 * way: a crowd of uploads that never end (R.U.D.Y.) must not shut out those that come at once. Bodies that have arrived
 * wait for their upstream and do not give way: so that one client's do not shut out all others', it has a share.
 */
export class HeldMemory {
  readonly max: number;
  #held = 0;
  readonly #clients = new PerClient();
  readonly #arriving = new Line<Arrival>();

  /** @param max bytes */
  constructor(max: number) {
    this.max = max;
  }

  get held(): number {
    return this.#held;
  }

  /** Until {@link arrived} or {@link give}, the holder may be asked to make do with what it has. */
  arriving(holder: Holder, giveWay: () => void): void {
    holder.arrival ??= this.#arriving.join({ holder, giveWay });
  }

  arrived(holder: Holder): void {
    if (holder.arrival !== undefined) this.#arriving.leave(holder.arrival);
    holder.arrival = undefined;
  }

  /** @returns false where there is no room, not even that of older arrivals; then nothing was taken */
  take(holder: Holder, bytes: number): boolean {
    if (this.#isBeyondShare(holder, bytes)) {
      this.#pressOut(holder, () => !this.#isBeyondShare(holder, bytes), holder.client);
      if (this.#isBeyondShare(holder, bytes)) return false;
    }
    const fits = () => this.#held + bytes <= this.max;
    if (!fits()) this.#pressOut(holder, fits);
    if (!fits()) return false;
    this.#add(holder, bytes);
    return true;
  }

  /** Gives back all that the request has taken. Safe to repeat. */
  give(holder: Holder): void {
    if (holder.heldBytes > 0) this.#add(holder, -holder.heldBytes);
    this.arrived(holder);
  }

  #add(holder: Holder, bytes: number): void {
    this.#held += bytes;
    holder.heldBytes += bytes;
    if (holder.client !== undefined) this.#clients.add(holder.client, bytes);
  }

  /** One request alone may have more than its client's share. */
  #isBeyondShare({ client, heldBytes }: Holder, bytes: number): boolean {
    if (client === undefined || this.#held + bytes <= this.max / 2) return false;
    const all = this.#clients.of(client);
    return all > heldBytes && all + bytes > this.max / shares;
  }

  /** Makes older arrivals give way until it is enough. @param of whose; absent: anybody's */
  #pressOut(newcomer: Holder, enough: () => boolean, of?: string): void {
    for (const { holder, giveWay } of this.#arriving) {
      if (holder === newcomer) return;
      if (of !== undefined && holder.client !== of) continue;
      this.give(holder);
      // Outside of the newcomer's own reading, which must not fail with it.
      process.nextTick(giveWay);
      if (enough()) return;
    }
  }
}
