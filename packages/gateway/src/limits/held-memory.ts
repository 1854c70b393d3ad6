import { Line, type Place } from '../memory/index.ts';

/** What was taken for one request, to be given back once. */
export interface Holder {
  heldBytes: number;
  /** where it stands among those whose bodies are still arriving */
  arrival?: Place<Arrival> | undefined;
}

/** A body that is still arriving, and how to stop it. */
interface Arrival {
  readonly holder: Holder;
  readonly giveWay: () => void;
}

/**
 * The memory of this process for what is held back of bodies while they are inspected. Each of them is bounded by
 * itself, but many clients together are not. Where it is used up, the body that has been arriving for longest gives
 * way: a crowd of uploads that never end (R.U.D.Y.) must not shut out those that come at once.
 */
export class HeldMemory {
  readonly max: number;
  #held = 0;
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
    if (this.#held + bytes > this.max && !this.#makeRoom(holder, bytes)) return false;
    this.#held += bytes;
    holder.heldBytes += bytes;
    return true;
  }

  /** Gives back all that the request has taken. Safe to repeat. */
  give(holder: Holder): void {
    this.#held -= holder.heldBytes;
    holder.heldBytes = 0;
    this.arrived(holder);
  }

  #makeRoom(holder: Holder, bytes: number): boolean {
    for (const { holder: oldest, giveWay } of this.#arriving) {
      if (oldest === holder) return false;
      this.give(oldest);
      // Outside of the newcomer's own reading, which must not fail with it.
      process.nextTick(giveWay);
      if (this.#held + bytes <= this.max) return true;
    }
    return false;
  }
}
