import { PerClient } from '../limits/index.ts';
import { Line, type Place } from '../memory/index.ts';

/** A request that needs a connection to an upstream. */
export interface Guest {
  /** whose it is */
  readonly client: string;
  /** kept by {@link Places} */
  standing: Standing | undefined;
  /** The connection is there for it. */
  begin(): void;
  /**
   * @param now monotonic milliseconds
   * @returns since when its connection waits for a client that has stopped; undefined while it does not
   */
  stalledSince(now: number): number | undefined;
  /** It has to do without a connection, or without the one that it has. */
  turnAway(reason: string): void;
}

/** Where a guest stands, and since when in monotonic milliseconds; 0 for who has its place. */
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
 * clients have stopped reading or sending for longest are ended: a few clients that read nothing must not hold them all.
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
  /** how many guests each client has; kept only while many places are taken, see docs/decisions/044 */
  #perClient: PerClient | undefined;
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

  /** Whether a guest that comes now can begin at once. */
  get hasRoom(): boolean {
    return this.#taken.size < this.#max && this.#waiting.size === 0;
  }

  /**
   * Lets a guest begin, now or later, or turns it away. Until {@link leave} it keeps its place.
   * @param before whose place it takes over: another try of the same request does not wait again
   */
  enter(guest: Guest, before?: Guest): void {
    if (before?.standing?.line === this.#taken) {
      this.#part(before);
      this.#seat(guest);
      return;
    }
    const line = this.#hasShare(guest.client) ? this.#beyondShare : this.#waiting;
    if (line === this.#waiting && this.hasRoom) this.#seat(guest);
    else if (line.size >= this.#max) {
      guest.turnAway(`all ${this.#max} connections are taken, and as many requests wait`);
    } else {
      this.#stand(guest, line, performance.now());
      this.#clock ??= setInterval(() => this.#tick(), tickMs).unref();
    }
  }

  /** To be called once a guest needs its place no longer, or does not wait any more. Safe to repeat. */
  leave(guest: Guest): void {
    if (this.#part(guest) !== this.#taken) return;
    if (this.#taken.size < this.#max / 4) this.#perClient = undefined;
    this.#admitNext();
  }

  #stand(guest: Guest, line: Line<Guest>, since: number): void {
    guest.standing = { line, place: line.join(guest), since };
    this.#perClient?.add(guest.client, 1);
  }

  /** @returns where it stood */
  #part(guest: Guest): Line<Guest> | undefined {
    const { standing } = guest;
    if (standing === undefined) return undefined;
    guest.standing = undefined;
    standing.line.leave(standing.place);
    this.#perClient?.add(guest.client, -1);
    return standing.line;
  }

  #seat(guest: Guest): void {
    this.#stand(guest, this.#taken, 0);
    guest.begin();
  }

  #admitNext(): void {
    // Who fails as it begins comes back here.
    if (this.#admitting) return;
    this.#admitting = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#part(next);
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
    this.#perClient ??= this.#counted();
    return this.#perClient.of(client) >= this.#max / shares;
  }

  #counted(): PerClient {
    const counts = new PerClient();
    for (const line of [this.#taken, this.#waiting, this.#beyondShare]) {
      for (const guest of line) counts.add(guest.client, 1);
    }
    return counts;
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
      const since = guest.stalledSince(now);
      if (since !== undefined && now - since > minStallMs) stalled.push({ guest, since });
    }
    stalled.sort((a, b) => a.since - b.since);
    for (const { guest, since } of stalled.slice(0, this.#waiting.size)) {
      const seconds = Math.round((now - since) / 1000);
      guest.turnAway(`others needed its connection, which waited ${seconds} s for the client`);
    }
  }
}
