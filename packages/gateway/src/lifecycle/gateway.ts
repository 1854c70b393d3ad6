import { randomUUID } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import path from 'node:path';
import type { Duplex, Writable } from 'node:stream';
import type { ConfigSource, Directive, EventSink, SharedLimits } from '@portcullis/contract/link';
import { Names, UpstreamRegistry } from '../forward/index.ts';
import { type HealthChange, HealthWatch } from '../health/index.ts';
import { PolicyCache } from '../inspect/index.ts';
import { LimitRegistry } from '../limits/index.ts';
import { answerMalformed, describeClientError } from '../listener/index.ts';
import type { Log } from '../log.ts';
import { fitCollector } from '../memory/index.ts';
import {
  AccessLog,
  EventLines,
  type GatewayState,
  maskTarget,
  Outbox,
  Reporter,
  Spool,
} from '../report/index.ts';
import { type Configuration, compileConfiguration } from '../sites/index.ts';
import { InForce } from './in-force.ts';
import { Journey } from './journey.ts';
import { Listeners } from './listeners.ts';

export interface GatewayOptions {
  /** stable per worker slot: names the spool folder */
  readonly id: string;
  readonly host: string;
  /** 0 lets the system choose */
  readonly httpPort: number;
  readonly httpsPort: number;
  /** shared by all workers of a machine */
  readonly dataDir: string;
  readonly source: ConfigSource;
  readonly sink: EventSink;
  /** buckets and bans of all gateways; absent: this one counts for itself */
  readonly limits?: SharedLimits | undefined;
  /** resolves the names of upstreams; absent: the system does */
  readonly lookup?: LookupFunction | undefined;
  readonly log: Log;
  /** every worker binds the port itself; false where the platform lacks it */
  readonly reusePort?: boolean;
  readonly productVersion?: string;
  /** of the machine, for who looks at several */
  readonly nodeName?: string;
  /** bytes of bodies that this process may hold for inspection, default 64 MiB */
  readonly maxHeldBytes?: number;
  /** to each upstream at the same time, default 1,024 */
  readonly maxUpstreamConnections?: number;
  /** where access logs go, default in the data folder, and what those of one format may take, default 1 GiB */
  readonly accessLog?: { readonly folder?: string | undefined; readonly maxBytes?: number };
  /** gets every event as a line of JSON too */
  readonly eventLines?: Writable | undefined;
}

export interface Gateway {
  /** Serves at once, on the last good configuration. Rejects where a port cannot be bound. */
  start(): Promise<{ httpPort: number; httpsPort?: number }>;
  /** Stops accepting, lets requests under way finish, then cuts after `graceMs` (default 10,000). */
  stop(options?: { graceMs?: number }): Promise<void>;
}

const spoolMaxBytes = 64 * 1024 * 1024;
const accessLogMaxBytes = 1024 * 1024 * 1024;

/** An id names files and folders: nothing of it may lead out of the data folder. */
const folderNameOf = (id: string) => id.replaceAll(/[^\w-]/g, '_');

function accessLogOf({ id, dataDir, accessLog, log }: GatewayOptions, onLost: (lines: number) => void) {
  const { folder = path.join(dataDir, 'gateway', 'access'), maxBytes = accessLogMaxBytes } = accessLog ?? {};
  return new AccessLog({ folder, maxBytes, worker: folderNameOf(id), log, onLost });
}

/** @returns a gateway that holds no socket, file or timer until `start()` */
export function createGateway(options: GatewayOptions): Gateway {
  return new Worker(options);
}

class Worker implements Gateway {
  readonly #options: GatewayOptions;
  readonly #spool: Spool;
  readonly #lines: EventLines | undefined;
  readonly #outbox: Outbox;
  readonly #accessLog: AccessLog;
  readonly #reporter: Reporter;
  readonly #upstreams: UpstreamRegistry;
  readonly #policies = new PolicyCache();
  readonly #limits = new LimitRegistry();
  readonly #health: HealthWatch;
  readonly #inForce: InForce;
  readonly #journey: Journey;
  readonly #listeners: Listeners;
  /** where it listens, once it does */
  #ports: { httpPort?: number; httpsPort?: number } = {};

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { id, dataDir, sink, log, maxUpstreamConnections } = options;
    const folder = path.join(dataDir, 'gateway', 'spool', folderNameOf(id));
    this.#spool = new Spool({ folder, maxBytes: spoolMaxBytes });
    this.#lines = options.eventLines && new EventLines(options.eventLines, log);
    const outbox = new Outbox({ gatewayId: id, sink, spool: this.#spool, log, lines: this.#lines });
    this.#outbox = outbox;
    this.#accessLog = accessLogOf(options, (count) => this.#accessLinesLost(count));
    this.#reporter = new Reporter({
      gatewayId: id,
      productVersion: options.productVersion ?? '0.1.0',
      nodeName: options.nodeName,
      sink,
      outbox,
      spool: this.#spool,
      accessLog: this.#accessLog,
      state: () => this.#state(),
    });
    const lookup = options.lookup ?? (systemLookup as LookupFunction);
    const names = new Names({ lookup, now: () => performance.now() });
    this.#upstreams = new UpstreamRegistry(names, maxUpstreamConnections);
    this.#health = new HealthWatch({
      lookup: this.#upstreams.lookup,
      onChange: (change) => this.#healthChanged(change),
    });
    this.#inForce = new InForce({
      dataDir,
      log,
      compile: (snapshot) =>
        compileConfiguration(snapshot, {
          upstreams: this.#upstreams,
          policies: this.#policies,
          limits: this.#limits,
          countersOf: (siteId) => this.#reporter.countersOf(siteId),
          before: this.#inForce.current,
        }),
      onSwap: (configuration) => this.#swapped(configuration),
    });
    this.#journey = new Journey({
      reporter: this.#reporter,
      configuration: () => this.#inForce.current,
      limits: options.limits,
      maxHeldBytes: options.maxHeldBytes ?? 64 * 1024 * 1024,
    });
    this.#listeners = new Listeners({
      journey: this.#journey,
      configuration: () => this.#inForce.current,
      onClientError: (error, socket) => this.#clientError(error, socket),
      onSessionError: (error, clientIp) =>
        this.#refusedPeer(clientIp, `Ended an HTTP/2 connection: ${error.message}`),
      onProxyRefused: (peerIp, reason) => this.#refusedPeer(peerIp, `A trusted proxy was refused: ${reason}`),
      onCrowded: (clientIp) =>
        this.#refusedPeer(
          clientIp,
          'Closed a connection: the client has its share, and half of all are taken',
        ),
    });
  }

  async start(): Promise<{ httpPort: number; httpsPort?: number }> {
    const { host, httpPort, httpsPort, source, limits, log, reusePort = false } = this.#options;
    fitCollector();
    try {
      await this.#spool.open();
    } catch (error) {
      log.error('Events cannot be kept on disk while the service is away', { reason: String(error) });
    }
    await this.#inForce.restore();
    const ports = await this.#listeners.open({ host, httpPort, httpsPort, reusePort });
    this.#ports = ports;
    this.#reporter.start();
    const { bans } = this.#journey;
    limits?.start({
      onBan: (ban) => bans.take([ban]),
      onLift: (ban) => bans.lift([ban]),
      onChange: (shared) => this.#sharingChanged(shared),
    });
    source.start((directive) => this.#obey(directive));
    return ports;
  }

  async stop({ graceMs = 10_000 }: { graceMs?: number } = {}): Promise<void> {
    await Promise.all([this.#options.source.stop(), this.#listeners.close(graceMs)]);
    this.#options.limits?.stop();
    this.#health.stop();
    await this.#reporter.stop();
    await this.#lines?.close();
    await this.#inForce.close();
    await this.#upstreams.destroy();
  }

  #obey(directive: Directive): void {
    const { bans } = this.#journey;
    switch (directive.type) {
      case 'snapshot':
        this.#inForce.apply(directive.snapshot);
        return;
      case 'watch':
        this.#reporter.watch(directive.active);
        return;
      case 'operators':
        bans.protect(directive.addresses);
        return;
      case 'bans':
        bans.take(directive.began);
        bans.lift(directive.lifted);
        return;
    }
  }

  #swapped(configuration: Configuration): void {
    this.#listeners.apply(configuration);
    this.#journey.hiddenProxies.forget();
    this.#journey.bans.enable(configuration.snapshot.security.blockSuspiciousIPs);
    for (const { certificateId, reason } of configuration.certificates.problems) {
      this.#options.log.error('A certificate cannot be served', { certificateId, reason });
    }
    this.#upstreams.retain(configuration.upstreams);
    this.#policies.turn();
    this.#limits.settle();
    this.#health.update(configuration.healthPlans);
    // Checks are kept or begun anew with their plan, members with their group. One alone is asked whatever checks say.
    for (const { id, upstreams } of configuration.sites.values()) {
      const { members } = upstreams;
      if (members.length === 1) continue;
      for (const member of members) member.healthy = this.#health.isHealthy(id, member.upstream.origin);
    }
  }

  #state(): GatewayState {
    const version = this.#inForce.current?.snapshot.version;
    const refused = this.#inForce.refused;
    const { limits } = this.#options;
    const { hiddenProxies } = this.#journey;
    const parts = [this.#outbox, this.#lines, this.#inForce, this.#upstreams, this.#accessLog, hiddenProxies];
    const problems = parts.map((part) => part?.problem).filter((one) => one !== undefined);
    return {
      activeConnections: this.#listeners.connections,
      ...this.#ports,
      ...this.#health.report(),
      ...(version === undefined ? {} : { configVersion: version }),
      ...(limits === undefined
        ? {}
        : { limits: limits.available ? ('shared' as const) : ('alone' as const) }),
      ...(refused === undefined ? {} : { refused }),
      ...(problems.length === 0 ? {} : { problems }),
    };
  }

  #healthChanged({ siteId, origin, healthy, reason }: HealthChange): void {
    const site = this.#inForce.current?.sites.get(siteId);
    for (const member of site?.upstreams.members ?? []) {
      if (member.upstream.origin === origin) member.healthy = healthy;
    }
    const message = healthy
      ? `Upstream ${origin} answers again`
      : `Upstream ${origin} is down: ${reason ?? 'unknown'}`;
    const level = healthy ? 'info' : 'error';
    this.#reporter.recordEvent({ ...this.#bareEvent(), kind: 'health', siteId, level, message });
  }

  #accessLinesLost(count: number): void {
    const message = `${count} lines of the access log were lost: the disk was full, refused writes or was too slow`;
    this.#reporter.recordEvent({ ...this.#bareEvent(), kind: 'health', level: 'error', message });
  }

  #sharingChanged(shared: boolean): void {
    const level = shared ? 'info' : 'warning';
    const message = shared
      ? 'Rate limits are counted together with the other gateways again'
      : 'Rate limits are counted by this gateway alone: Redis is slow or away';
    this.#reporter.recordEvent({ ...this.#bareEvent(), kind: 'health', level, message });
  }

  #clientError(error: Error, socket: Duplex): void {
    const malformed = describeClientError(error);
    if (malformed === undefined) {
      socket.destroy();
      return;
    }
    // Answered before: what such a client goes on to send is dropped, and is not news.
    if (!socket.writable) return;
    const event = this.#bareEvent();
    this.#reporter.recordEvent({
      ...event,
      kind: 'protocol',
      level: 'warning',
      decision: 'block',
      method: malformed.method,
      path: maskTarget(malformed.target),
      status: malformed.status,
      clientIp: this.#listeners.clientIp(socket as Socket),
      message: `Refused an unreadable request: ${malformed.reason}`.slice(0, 1024),
    });
    this.#reporter.recordRefused(malformed.status);
    answerMalformed(socket, malformed.status, event.requestId);
  }

  #refusedPeer(clientIp: string, message: string): void {
    const event = { ...this.#bareEvent(), kind: 'protocol', level: 'error', clientIp, message } as const;
    this.#reporter.recordEvent({ ...event, decision: 'block' });
  }

  /** An event that no exchange stands behind. */
  #bareEvent() {
    return {
      id: randomUUID(),
      requestId: randomUUID(),
      time: Date.now(),
      gatewayId: this.#options.id,
      decision: 'log' as const,
      method: '',
      host: '',
      path: '',
      status: 0,
      clientIp: '',
      userAgent: '',
      matches: [],
      count: 1,
    };
  }
}
