import { Line, type Place } from '../memory/index.ts';

/** A request that needs a connection to an upstream. */
export interface Guest {
  /** whose it is */
  readonly client: string;
  /** kept by {@link Places} */
  standing: Standing | undefined;
  /** The connection is there for it. */
  begin(): void;
  /** since when its connection waits for the client alone, in monotonic milliseconds; undefined while it does not */
  stalledSince(): number | undefined;
  /** It has to do without a connection, or without the one that it has. */
  turnAway(reason: string): void;
}

/** Where a guest stands, and since when in monotonic milliseconds; 0 for who was let in at once. */
interface Standing {
  readonly line: Line<Guest>;
  readonly place: Place<Guest>;
  readonly since: number;
}

/** What one client may have of the places once half of them are taken. */
const shares = 8;

/** How long a client may have let its connection wait before others may have it, in milliseconds. */
const minStallMs = 2000;

const tickMs = 250;

/**
 * The connections that one upstream is asked over at the same time. Where all are taken others wait, for no longer than
 * a connection may take to come about, and as many as there are places. While somebody waits, the connections whose
 * clients have neither read nor sent for longest are ended: a few clients that read nothing must not hold them all.
 * Event streams and long polls wait for the upstream and are left alone; for them as for all, a client that has its
 * share waits until less than half is taken.
 */
export class Places {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #taken = new Line<Guest>();
  readonly #waiting = new Line<Guest>();
  /** whose clients had their share when they came */
  readonly #beyondShare = new Line<Guest>();
  #clock: NodeJS.Timeout | undefined;
  #admitting = false;

  /**
   * @param max how many there are, and how many may wait
   * @param waitMs how long somebody may wait
   */
  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Lets a guest begin, now or later, or turns it away. Until {@link leave} it keeps its place. */
  enter(guest: Guest): void {
    const line = this.#hasShare(guest.client) ? this.#beyondShare : this.#waiting;
    if (line === this.#waiting && line.size === 0 && this.#taken.size < this.#max) this.#seat(guest);
    else if (line.size >= this.#max) {
      guest.turnAway(`all ${this.#max} connections are taken, and as many requests wait`);
    } else {
      guest.standing = { line, place: line.join(guest), since: performance.now() };
      this.#clock ??= setInterval(() => this.#tick(), tickMs).unref();
    }
  }

  /** To be called once a guest needs its place no longer, or does not wait any more. Safe to repeat. */
  leave(guest: Guest): void {
    const { standing } = guest;
    if (standing === undefined) return;
    guest.standing = undefined;
    standing.line.leave(standing.place);
    if (standing.line === this.#taken) this.#admitNext();
  }

  #seat(guest: Guest): void {
    guest.standing = { line: this.#taken, place: this.#taken.join(guest), since: 0 };
    guest.begin();
  }

  #admitNext(): void {
    // Who fails as it begins comes back here.
    if (this.#admitting) return;
    this.#admitting = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.standing?.line.leave(next.standing.place);
      this.#seat(next);
    }
    this.#admitting = false;
  }

  #next(): Guest | undefined {
    if (this.#taken.size >= this.#max) return undefined;
    return (this.#waiting.first ?? (this.#isCrowded ? undefined : this.#beyondShare.first))?.value;
  }

  get #isCrowded(): boolean {
    return this.#taken.size >= this.#max / 2;
  }

  #hasShare(client: string): boolean {
    if (!this.#isCrowded) return false;
    let own = 0;
    for (const line of [this.#taken, this.#waiting, this.#beyondShare]) {
      for (const guest of line) if (guest.client === client) own++;
    }
    return own >= this.#max / shares;
  }

  #tick(): void {
    const now = performance.now();
    for (const line of [this.#waiting, this.#beyondShare]) {
      for (const guest of line) {
        if (now - (guest.standing?.since ?? now) <= this.#waitMs) break;
        this.leave(guest);
        guest.turnAway(`no connection was free for ${this.#waitMs / 1000} s`);
      }
    }
    if (this.#waiting.size > 0) this.#pressOut(now);
    if (this.#waiting.size + this.#beyondShare.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  #pressOut(now: number): void {
    const stalled: { readonly guest: Guest; readonly since: number }[] = [];
    for (const guest of this.#taken) {
      const since = guest.stalledSince();
      if (since !== undefined && now - since > minStallMs) stalled.push({ guest, since });
    }
    stalled.sort((a, b) => a.since - b.since);
    for (const { guest, since } of stalled.slice(0, this.#waiting.size)) {
      const seconds = Math.round((now - since) / 1000);
      guest.turnAway(`others needed its connection, which waited ${seconds} s for the client`);
    }
  }
}
