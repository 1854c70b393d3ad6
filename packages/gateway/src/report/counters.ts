import { type Counters, latencyBucketsMs } from '@portcullis/contract/link';
import type { Exchange } from '../exchange/index.ts';

const minuteMs = 60_000;

/** Counts what happens on one site, minute by minute, as increments since the last {@link take}. */
export class SiteCounters {
  /** absent for hosts that no site names */
  readonly siteId: string | undefined;
  readonly #onFirst: (counters: SiteCounters) => void;
  #untold = 0;
  #current: Counters | undefined;
  #finished: Counters[] = [];

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
    const now = this.#minuteOf(exchange.time);
    now.requests++;
    if (exchange.outcome === 'block') now.blocked++;
    else if (exchange.outcome === 'challenge') now.challenged++;
    countStatus(now, exchange.status);
    now.bytesIn += exchange.bytesIn;
    now.bytesOut += exchange.bytesOut;
    now.durationMs += Math.round(durationMs * 1000) / 1000;
    const bucket = bucketOf(durationMs);
    now.latency[bucket] = (now.latency[bucket] ?? 0) + 1;
  }

  /** Counts bytes that never became a request and were answered with `status`. */
  recordRefused(status: number): void {
    const now = this.#minuteOf(Date.now());
    now.requests++;
    now.blocked++;
    countStatus(now, status);
    now.latency[0] = (now.latency[0] ?? 0) + 1;
  }

  /** @returns requests since the last call */
  takeUntold(): number {
    const untold = this.#untold;
    this.#untold = 0;
    return untold;
  }

  /** @returns the increments since the last call, then starts from zero */
  take(): Counters[] {
    const taken = this.#finished;
    if (this.#current) taken.push(this.#current);
    this.#current = undefined;
    this.#finished = [];
    return taken;
  }

  #minuteOf(time: number): Counters {
    this.#untold++;
    const minute = time - (time % minuteMs);
    if (this.#current?.minute === minute) return this.#current;
    if (this.#current) this.#finished.push(this.#current);
    else this.#onFirst(this);
    this.#current = {
      ...(this.siteId === undefined ? {} : { siteId: this.siteId }),
      minute,
      requests: 0,
      blocked: 0,
      challenged: 0,
      statuses: [0, 0, 0, 0, 0],
      bytesIn: 0,
      bytesOut: 0,
      durationMs: 0,
      latency: new Array<number>(latencyBucketsMs.length + 1).fill(0),
    };
    return this.#current;
  }
}

function countStatus(counters: Counters, status: number): void {
  const index = Math.floor(status / 100) - 1;
  if (index >= 0 && index < 5) counters.statuses[index] = (counters.statuses[index] ?? 0) + 1;
}

function bucketOf(durationMs: number): number {
  for (let i = 0; i < latencyBucketsMs.length; i++) if (durationMs <= (latencyBucketsMs[i] ?? 0)) return i;
  return latencyBucketsMs.length;
}
