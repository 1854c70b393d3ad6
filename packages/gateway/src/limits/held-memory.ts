/** What was taken for one request, to be given back once. */
export interface Holder {
  heldBytes: number;
}

/**
 * The memory of this process for what is held back of bodies while they are inspected. Each of them is bounded by
 * itself, but many clients together are not.
 */
export class HeldMemory {
  readonly max: number;
  #held = 0;

  /** @param max bytes */
  constructor(max: number) {
    this.max = max;
  }

  get held(): number {
    return this.#held;
  }

  /** @returns false where there is no room; then nothing was taken */
  take(holder: Holder, bytes: number): boolean {
    if (this.#held + bytes > this.max) return false;
    this.#held += bytes;
    holder.heldBytes += bytes;
    return true;
  }

  /** Gives back all that the request has taken. Safe to repeat. */
  give(holder: Holder): void {
    this.#held -= holder.heldBytes;
    holder.heldBytes = 0;
  }
}
