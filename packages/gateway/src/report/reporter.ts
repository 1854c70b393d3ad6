import type { Ban } from '@portcullis/contract/access';
import { type SecurityEvent, visibleText } from '@portcullis/contract/events';
import { type EventSink, type GatewayReport, ownLink } from '@portcullis/contract/link';
import type { Exchange } from '../exchange/index.ts';
import { Resident } from '../memory/index.ts';
import type { AccessLog } from './access-log.ts';
import { SiteCounters } from './counters.ts';
import { eventOf, type Finding, hostOf } from './event.ts';
import type { Outbox } from './outbox.ts';
import type { Spool } from './spool.ts';

/** What only the gateway as a whole knows of itself. */
export type GatewayState = Pick<GatewayReport, 'activeConnections' | 'upstreams'> &
  Partial<
    Pick<
      GatewayReport,
      'upstreamsOf' | 'configVersion' | 'refused' | 'limits' | 'problems' | 'httpPort' | 'httpsPort'
    >
  >;

export interface ReporterOptions {
  readonly gatewayId: string;
  readonly productVersion: string;
  /** the machine's name */
  readonly nodeName: string | undefined;
  readonly sink: EventSink;
  readonly outbox: Outbox;
  readonly spool: Spool;
  readonly accessLog: AccessLog;
  /** asked once for each report */
  readonly state: () => GatewayState;
}

const flushEveryMs = 250;
const reportEveryMs = 1000;
/**
 * Counters of ten thousand sites are written, sent and stored every 5 s, those of a few with each flush. What reports say
 * of each site rests as long: the service looks at ten seconds of them.
 */
const restForEachSiteMs = 0.5;
const longestRestMs = 5000;
/** Plain passes shown a second while somebody watches. */
const maxSightingsPerSecond = 50;

/** Tells the control plane what happened and how this worker is. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #startedAt = new Date().toISOString();
  readonly #counters = new Map<string, SiteCounters>();
  readonly #ofUnknownHosts = new SiteCounters(undefined, (busy) => this.#busy.push(busy));
  /** sites with increments to deliver, and those whose requests are to be reported */
  #busy: SiteCounters[] = [];
  #heard: SiteCounters[] = [];
  /** before that, monotonic milliseconds, increments wait for more of their site */
  #countersDueAt = 0;
  #perSiteDueAt = 0;
  /** since the last report */
  #requests = 0;
  #timers: NodeJS.Timeout[] = [];
  #watching = false;
  #sightings: SecurityEvent[] = [];
  #lastReportAt = performance.now();
  #lastCpu = process.cpuUsage();
  readonly #resident = new Resident();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.flush(), flushEveryMs),
      setInterval(() => void this.#report(), reportEveryMs),
    ];
  }

  /** Delivers or spools what is left. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#countersDueAt = 0;
    this.#perSiteDueAt = 0;
    await this.#options.accessLog.close();
    await this.flush();
    await this.#report({ leaving: true });
  }

  /** @returns the counters of a site, the same ones across reloads; not looked up anew for each request */
  countersOf(siteId: string): SiteCounters {
    let counters = this.#counters.get(siteId);
    if (counters === undefined) {
      counters = new SiteCounters(siteId, (busy) => this.#busy.push(busy));
      this.#counters.set(siteId, counters);
    }
    return counters;
  }

  /** Records a decision that is not a plain pass. `status` is what the client gets. */
  record(exchange: Exchange, status: number, finding: Finding): void {
    exchange.ruleId = finding.ruleId ?? exchange.ruleId;
    this.#options.outbox.add(eventOf(this.#options.gatewayId, exchange, status, finding));
  }

  /** Counts bytes that never became a request and were answered with `status`. */
  recordRefused(status: number): void {
    this.#requests++;
    this.#ofUnknownHosts.recordRefused(status);
  }

  /** Records what happened outside of any exchange, such as unreadable bytes on a socket. */
  recordEvent(event: SecurityEvent): void {
    this.#options.outbox.add(event);
  }

  /** Tells the others of a ban that began here. */
  recordBan(ban: Ban): void {
    this.#options.outbox.addBan(ban);
  }

  watch(active: boolean): void {
    this.#watching = active;
  }

  /** To be called once for every exchange when its last byte is through. */
  finished(exchange: Exchange): void {
    const durationMs = performance.now() - exchange.startedAt;
    this.#requests++;
    (exchange.counters ?? this.#ofUnknownHosts).record(exchange, durationMs);
    const { accessLog } = exchange;
    if (accessLog !== undefined) this.#options.accessLog.add(accessLog, exchange, durationMs);
    if (exchange.outcome !== 'pass' || exchange.siteId === undefined) return;
    this.#sight(
      exchange,
      () => `${exchange.method} answered ${exchange.status} in ${Math.round(durationMs)} ms`,
    );
  }

  /** Shows a request that no site is named for, while somebody watches. */
  sightUnknownHost(exchange: Exchange): void {
    const host = visibleText(hostOf(exchange));
    this.#sight(exchange, () => (host === '' ? 'The request names no site' : `No site is named ${host}`));
  }

  #sight(exchange: Exchange, message: () => string): void {
    if (!this.#watching || this.#sightings.length >= maxSightingsPerSecond) return;
    const sighting = { kind: 'access', level: 'debug', decision: 'pass', message: message() } as const;
    this.#sightings.push(eventOf(this.#options.gatewayId, exchange, exchange.status, sighting));
  }

  async flush(): Promise<void> {
    const now = performance.now();
    if (now >= this.#countersDueAt) {
      this.#countersDueAt = now + restFor(this.#busy.length);
      for (const counters of this.#busy) this.#options.outbox.addCounters(counters.take());
      this.#heard = this.#heard.concat(this.#busy);
      this.#busy = [];
    }
    await Promise.all([this.#options.outbox.flush(), this.#options.accessLog.flush()]);
  }

  async #report(last: Pick<GatewayReport, 'leaving'> = {}): Promise<void> {
    const { sink, spool, gatewayId, productVersion, nodeName, state } = this.#options;
    const waits = spool.oldestMs;
    const now = performance.now();
    const intervalMs = Math.max(1, Math.round(now - this.#lastReportAt));
    const cpu = process.cpuUsage(this.#lastCpu);
    this.#lastCpu = process.cpuUsage();
    this.#lastReportAt = now;
    const requests = this.#requests;
    this.#requests = 0;
    const perSite = now >= this.#perSiteDueAt ? this.#perSite(now) : [];
    // A report or sighting that is lost is followed by the next one a second later.
    await sink.report({
      gatewayId,
      productVersion,
      ...ownLink,
      ...(nodeName !== undefined && { host: nodeName }),
      time: Date.now(),
      startedAt: this.#startedAt,
      requests,
      intervalMs,
      perSite,
      spoolBytes: spool.bytes,
      ...(waits !== undefined && { spoolOldestMs: Math.round(waits) }),
      memoryBytes: this.#resident.bytes,
      cpuPercent: (cpu.user + cpu.system) / 10 / intervalMs,
      ...state(),
      ...last,
    });
    if (this.#sightings.length > 0) await sink.sight(this.#sightings.splice(0));
  }

  /** Requests of each site since it was last asked. */
  #perSite(now: number): GatewayReport['perSite'] {
    const perSite: GatewayReport['perSite'] = [];
    for (const counters of this.#heard.splice(0).concat(this.#busy)) {
      const { siteId } = counters;
      const requests = counters.takeUntold();
      if (siteId !== undefined && requests > 0) perSite.push({ siteId, requests });
    }
    this.#perSiteDueAt = now + restFor(perSite.length);
    return perSite;
  }
}

const restFor = (sites: number): number => Math.min(sites * restForEachSiteMs, longestRestMs);
