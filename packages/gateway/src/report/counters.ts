import { type Counters, latencyBucketsMs } from '@portcullis/contract/link';
import type { Exchange } from '../exchange/index.ts';

const minuteMs = 60_000;

const latencyBuckets = latencyBucketsMs.length + 1;

/** Where each sum stands among those of a site: what every request adds to side by side, in two lines of the cache. */
const at = {
  requests: 0,
  bytesIn: 1,
  bytesOut: 2,
  durationMicros: 3,
  statuses: 4,
  latency: 9,
  blocked: 9 + latencyBuckets,
  challenged: 10 + latencyBuckets,
};
const sums = at.challenged + 1;

/** The same for every site that has none, for an array of its own is one more thing that lives as long as the site. */
const none: readonly Counters[] = [];

/**
 * Counts what happens on one site, minute by minute, as increments since the last {@link take}. Counts in place: an
 * object for each site and flush would outlive the collection of what is young, ten thousand at a time.
 */
export class SiteCounters {
  /** absent for hosts that no site names */
  readonly siteId: string | undefined;
  readonly #onFirst: (counters: SiteCounters) => void;
  readonly #sums = new Array<number>(sums).fill(0);
  #untold = 0;
  /** what the sums belong to, in minutes, for small whole numbers stand in the object itself; 0 while there are none */
  #minute = 0;
  #finished = none;

  /**
   * @param onFirst called with the first increment after each {@link take}, so that nobody has to look through ten
   *   thousand quiet sites for those that have something
   */
  constructor(siteId: string | undefined, onFirst: (counters: SiteCounters) => void) {
    this.siteId = siteId;
    this.#onFirst = onFirst;
  }

  /** @param durationMs from the first byte to the last */
  record(exchange: Exchange, durationMs: number): void {
    this.#begin(exchange.time);
    this.#add(at.requests, 1);
    if (exchange.outcome === 'block') this.#add(at.blocked, 1);
    else if (exchange.outcome === 'challenge') this.#add(at.challenged, 1);
    this.#addStatus(exchange.status);
    this.#add(at.bytesIn, exchange.bytesIn);
    this.#add(at.bytesOut, exchange.bytesOut);
    // Whole numbers are added up and written faster, and never drift.
    this.#add(at.durationMicros, Math.round(durationMs * 1000));
    this.#add(at.latency + bucketOf(durationMs), 1);
  }

  /** Counts bytes that never became a request and were answered with `status`. */
  recordRefused(status: number): void {
    this.#begin(Date.now());
    this.#add(at.requests, 1);
    this.#add(at.blocked, 1);
    this.#addStatus(status);
    this.#add(at.latency, 1);
  }

  /** @returns requests since the last call */
  takeUntold(): number {
    const untold = this.#untold;
    this.#untold = 0;
    return untold;
  }

  /** @returns the increments since the last call, then starts from zero */
  take(): readonly Counters[] {
    const taken = this.#minute === 0 ? this.#finished : [...this.#finished, this.#sum()];
    this.#minute = 0;
    this.#finished = none;
    return taken;
  }

  #begin(time: number): void {
    this.#untold++;
    const minute = Math.floor(time / minuteMs);
    if (this.#minute === minute) return;
    if (this.#minute !== 0) this.#finished = [...this.#finished, this.#sum()];
    else if (this.#finished.length === 0) this.#onFirst(this);
    this.#minute = minute;
  }

  #add(sum: number, increment: number): void {
    this.#sums[sum] = (this.#sums[sum] ?? 0) + increment;
  }

  #addStatus(status: number): void {
    const index = Math.floor(status / 100) - 1;
    if (index >= 0 && index < 5) this.#add(at.statuses + index, 1);
  }

  /** What was counted in the minute; starts from zero. */
  #sum(): Counters {
    const of = (sum: number) => this.#sums[sum] ?? 0;
    const counters: Counters = {
      minute: this.#minute * minuteMs,
      requests: of(at.requests),
      blocked: of(at.blocked),
      challenged: of(at.challenged),
      statuses: [
        of(at.statuses),
        of(at.statuses + 1),
        of(at.statuses + 2),
        of(at.statuses + 3),
        of(at.statuses + 4),
      ],
      bytesIn: of(at.bytesIn),
      bytesOut: of(at.bytesOut),
      durationMs: of(at.durationMicros) / 1000,
      latency: this.#sums.slice(at.latency, at.latency + latencyBuckets),
    };
    if (this.siteId !== undefined) counters.siteId = this.siteId;
    this.#sums.fill(0);
    return counters;
  }
}

function bucketOf(durationMs: number): number {
  for (let i = 0; i < latencyBucketsMs.length; i++) if (durationMs <= (latencyBucketsMs[i] ?? 0)) return i;
  return latencyBucketsMs.length;
}
