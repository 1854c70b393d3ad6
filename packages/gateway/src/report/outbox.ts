import { randomUUID } from 'node:crypto';
import type { Ban } from '@portcullis/contract/access';
import type { SecurityEvent } from '@portcullis/contract/events';
import {
  type Counters,
  type Delivery,
  type EventBatch,
  type EventSink,
  maxBansInBatch,
} from '@portcullis/contract/link';
import type { Log } from '../log.ts';
import type { EventLines } from './event-lines.ts';
import type { Spool } from './spool.ts';

const maxBatchEvents = 1000;
/** Events kept in memory while the disk refuses them too. */
const maxPendingEvents = 10_000;
const deliveryPatienceMs = 5000;
/** Alike events of one second that are told one by one; the rest is counted on the last of them. */
const maxAlikePerFlush = 10;

/**
 * Brings events and counters to the sink, at least once: straight while it answers, by way of the spool while it
 * does not. Nothing here waits in a request's way.
 */
export class Outbox {
  readonly #gatewayId: string;
  readonly #sink: EventSink;
  readonly #spool: Spool;
  readonly #log: Log;
  #events: SecurityEvent[] = [];
  #alike = new Map<string, { seen: number; last: SecurityEvent }>();
  #counters: Counters[] = [];
  #bans: Ban[] = [];
  #dropped = 0;
  #flushing: Promise<void> | undefined;
  #away = false;
  #diskProblem: string | undefined;
  readonly #lines: EventLines | undefined;
  /** what the lines have not told yet: until then the count of alike ones may rise */
  #fresh: SecurityEvent[] = [];

  /** @param options.lines tells every event a second time, as a line */
  constructor(options: {
    gatewayId: string;
    sink: EventSink;
    spool: Spool;
    log: Log;
    lines?: EventLines | undefined;
  }) {
    this.#lines = options.lines;
    this.#gatewayId = options.gatewayId;
    this.#sink = options.sink;
    this.#spool = options.spool;
    this.#log = options.log;
  }

  /** A flood of one client against one rule becomes one entry with a count, so that it can't fill the disk. */
  add(event: SecurityEvent): void {
    const key = `${event.siteId} ${event.kind} ${event.ruleId} ${event.category} ${event.decision} ${event.clientIp}`;
    const alike = this.#alike.get(key);
    if (alike === undefined) this.#alike.set(key, { seen: 1, last: event });
    else if (alike.seen >= maxAlikePerFlush) {
      alike.last.count++;
      return;
    } else {
      alike.seen++;
      alike.last = event;
    }
    this.#push(event);
  }

  #push(event: SecurityEvent): void {
    if (this.#events.length >= maxPendingEvents) this.#dropped++;
    else this.#events.push(event);
    if (this.#lines !== undefined) this.#fresh.push(event);
  }

  addCounters(counters: readonly Counters[]): void {
    this.#counters.push(...counters);
  }

  /** Beyond the bound the service is not told: such a ban holds here, ends by itself and cannot be seen or lifted. */
  addBan(ban: Ban): void {
    if (this.#bans.length < maxBansInBatch) this.#bans.push(ban);
  }

  /** why events cannot wait on disk, as of the last try; undefined while they can */
  get problem(): string | undefined {
    return this.#diskProblem;
  }

  /** Delivers what is pending. Calls while one is under way share it. Never rejects. */
  flush(): Promise<void> {
    this.#tellLines();
    this.#flushing ??= this.#flush()
      .catch((error: unknown) => this.#log.error('Events could not be kept', { reason: String(error) }))
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const batches = this.#takeBatches();
    let reachable = await this.#drainSpool();
    for (const batch of batches) {
      reachable = reachable && (await this.#deliver(batch)) !== 'later';
      if (!reachable) await this.#keep(batch);
    }
    if (reachable && this.#diskProblem !== undefined) await this.#probe();
  }

  /** Not held up by a service that does not answer. What was told as a line cannot count another one. */
  #tellLines(): void {
    if (this.#lines === undefined) return;
    this.#alike = new Map();
    for (const event of this.#fresh.splice(0)) this.#lines.add(event);
  }

  /** Whether the disk takes something again, so that the problem is not told for ever. */
  async #probe(): Promise<void> {
    try {
      await this.#spool.probe();
      this.#diskProblem = undefined;
    } catch {
      // Still as told.
    }
  }

  #takeBatches(): EventBatch[] {
    const events = this.#events;
    const counters = this.#counters;
    const bans = this.#bans;
    this.#events = [];
    this.#counters = [];
    this.#bans = [];
    this.#alike = new Map();
    const dropped = this.#dropped + this.#spool.takeDropped();
    this.#dropped = 0;
    const batches: EventBatch[] = [];
    for (let at = 0; at < events.length || at === 0; at += maxBatchEvents) {
      batches.push(this.#batch(events.slice(at, at + maxBatchEvents)));
    }
    const first = batches[0];
    const nothing = events.length + counters.length + bans.length + dropped === 0;
    if (first === undefined || nothing) return [];
    first.counters = counters;
    first.dropped = dropped;
    if (bans.length > 0) first.bans = bans;
    return batches;
  }

  #batch(events: SecurityEvent[]): EventBatch {
    return { id: randomUUID(), gatewayId: this.#gatewayId, events, counters: [], dropped: 0 };
  }

  /** An event about this gateway itself. */
  #own(message: string): SecurityEvent {
    const nowhere = { method: '', host: '', path: '', status: 0, clientIp: '', userAgent: '' };
    return {
      id: randomUUID(),
      requestId: randomUUID(),
      time: Date.now(),
      gatewayId: this.#gatewayId,
      kind: 'engine',
      level: 'error',
      decision: 'log',
      ...nowhere,
      message,
      matches: [],
      count: 1,
    };
  }

  async #drainSpool(): Promise<boolean> {
    for (;;) {
      const batch = await this.#spool.oldest().catch((error: unknown) => {
        this.#log.error('Events that wait on disk cannot be read now', { reason: String(error) });
        return 'later' as const;
      });
      if (batch === undefined) return true;
      if (batch === 'later') return false;
      if ((await this.#deliver(batch)) === 'later') return false;
      await this.#spool.removeOldest();
    }
  }

  async #deliver(batch: EventBatch): Promise<'done' | 'later'> {
    const lost = batch.dropped > 0 ? [this.#own(lossOf(batch.dropped))] : [];
    const told = { ...batch, events: [...batch.events, ...lost] };
    const delivery = await withinPatience(this.#sink.deliver(told));
    if (delivery.delivered) {
      if (this.#away) this.#log.info('Events are delivered again');
      this.#away = false;
      return 'done';
    }
    if (!delivery.retry) {
      this.#log.error('Events were refused for good', {
        reason: delivery.reason,
        events: batch.events.length,
      });
      this.#dropped += batch.events.length;
      return 'done';
    }
    if (!this.#away)
      this.#log.warn('Events cannot be delivered and are kept on disk', { reason: delivery.reason });
    this.#away = true;
    return 'later';
  }

  /** Disk full: the batch goes back to memory, which is bounded too, and what does not fit is counted. */
  async #keep(batch: EventBatch): Promise<void> {
    try {
      await this.#spool.put(batch);
      this.#diskProblem = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const problem = `Events that wait for the service cannot be kept on disk (${reason.slice(0, 300)})`;
      // Said once, not at each try; and as an event too, for who is cut off cannot report and may be well again by then.
      if (this.#diskProblem === undefined) {
        this.#log.error('Events cannot be kept on disk', { reason });
        this.#push(this.#own(problem));
      }
      this.#diskProblem = problem;
      const room = Math.max(0, maxPendingEvents - this.#events.length);
      this.#events.unshift(...batch.events.slice(0, room));
      this.#dropped += batch.dropped + Math.max(0, batch.events.length - room);
      this.#counters.unshift(...batch.counters.slice(0, 20_000));
      this.#bans = [...(batch.bans ?? []), ...this.#bans].slice(0, maxBansInBatch);
    }
  }
}

/** What is gone is told where the rest is read, so that nobody takes silence for peace. */
const lossOf = (dropped: number) =>
  `${dropped} events were lost: the room for events that wait for the service was full, or what waited on disk could not be read`;

/** A sink that never answers counts as away; should it have taken the batch, the repeat is harmless. */
function withinPatience(delivery: Promise<Delivery>): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
  const timer = setTimeout(
    () => resolve({ delivered: false, retry: true, reason: 'no answer in time' }),
    deliveryPatienceMs,
  );
  delivery.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
