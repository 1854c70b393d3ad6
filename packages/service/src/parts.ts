import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { SecurityEvent } from '@portcullis/contract/events';
import type { Directive, Peers, Sighting } from '@portcullis/contract/link';
import {
  type AuditLog,
  type ChainWatch,
  createAuditLog,
  createChainWatch,
  entryOfRecord,
} from './audit/index.ts';
import {
  createOperatorAddresses,
  loadTokenSigner,
  type OperatorAddresses,
  type SecondFactor,
  type TokenSigner,
} from './auth/index.ts';
import { type Bans, createBans } from './bans/index.ts';
import type { AcmeAuthority, Issuer } from './certificates/index.ts';
import { type Configuration, createConfiguration } from './configuration/index.ts';
import { type Confirmation, createConfirmation } from './confirmation/index.ts';
import { type Countries, openCountries } from './countries/index.ts';
import { createDuty, type Duty } from './duty/index.ts';
import { createIntake, type EventIntake, entryOfEvent } from './events/index.ts';
import { createFleetWatch, type FleetWatch, type ServiceIdentity } from './fleet/index.ts';
import { ensureGatewaySecrets } from './gateway-secrets/index.ts';
import { GatewayRegistry } from './gateways/index.ts';
import { type HostWatch, watchHost } from './host-watch.ts';
import { ClockDoubt, createJobs } from './jobs/index.ts';
import type { Log } from './log.ts';
import { attacksIn, createNotifications, loadMeter, type Notifications } from './notifications/index.ts';
import { createPeerExchange } from './peers/index.ts';
import { loadSealer, type Sealer } from './sealing/index.ts';
import type { Db, Storage, Trx } from './storage/index.ts';
import { readSnapshotParts, type StoredConfiguration, storedConfiguration } from './stored-configuration.ts';
import { LogHub } from './streams/index.ts';
import { createSecondFactor } from './two-factor/index.ts';
import { createUpkeep } from './upkeep.ts';

/** Everything that routes are made of, wired once. */
export interface Parts extends StoredConfiguration, HostWatch {
  readonly storage: Storage;
  readonly log: Log;
  /** Unix milliseconds */
  readonly now: () => number;
  readonly startedAt: number;
  /** since then, whatever is done to the clock */
  uptimeMs(): number;
  readonly sealer: Sealer;
  readonly signer: TokenSigner;
  readonly secondFactor: SecondFactor;
  readonly confirmation: Confirmation;
  readonly audit: AuditLog;
  readonly chain: ChainWatch;
  readonly configuration: Configuration;
  readonly duty: Duty;
  readonly gateways: GatewayRegistry;
  readonly fleet: FleetWatch;
  readonly intake: EventIntake;
  readonly hub: LogHub;
  readonly notifications: Notifications;
  readonly issuer: Issuer;
  readonly operators: OperatorAddresses;
  readonly bans: Bans;
  /** @returns the name of a site of the configuration in force */
  siteName(siteId: string): string | undefined;
  /** @returns the name of a rule that operators made; what is built in has none */
  ruleName(ruleId: string): Promise<string | undefined>;
  readonly countries: Countries;
  /** samples of plain passes, for the live stream alone */
  showSightings(sightings: readonly Sighting[]): void;
  /** to be called when sessions ended, so that their streams close */
  sessionsEnded(): void;
  /** to be called when the key that signs tokens was replaced, so that other services take it up */
  tokenKeyReplaced(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What tells gateways of a change. */
export type Directives = (directive: Directive) => void;

export interface PartsOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly now?: (() => number) | undefined;
  readonly acme?: AcmeAuthority | undefined;
  readonly countryDatabaseFile?: string | undefined;
  readonly peers?: Peers | undefined;
  readonly productVersion: string;
  readonly publicUrl?: string | undefined;
  readonly name?: string | undefined;
  readonly nodeName?: string | undefined;
}

/** Nobody else is on the database, or nothing joins the services on it but the database. */
const noPeers: Peers = { hearing: true, tell: () => {}, subscribe: () => () => {} };

function identityOf({ name, nodeName, productVersion }: PartsOptions): ServiceIdentity {
  return { id: name ?? 'service', host: nodeName ?? hostname().slice(0, 64), productVersion };
}

/** What accounts are made of: how they are sealed, signed, watched and asked again. */
async function accountParts(storage: Storage, dataDir: string, now: () => number) {
  const sealer = await loadSealer(dataDir);
  const signer = await loadTokenSigner(storage, sealer, now);
  const audit = createAuditLog(storage, now);
  const secondFactor = createSecondFactor({ storage, sealer, now });
  const chain = createChainWatch(storage, sealer, now);
  return {
    sealer,
    signer,
    audit,
    chain,
    secondFactor,
    confirmation: createConfirmation({ storage, audit, now }),
  };
}

/** Tells people by mail and chat of what the other parts see. */
function notificationsOver(
  accounts: Awaited<ReturnType<typeof accountParts>>,
  seen: Pick<
    Parts,
    | 'storage'
    | 'log'
    | 'now'
    | 'duty'
    | 'configuration'
    | 'gateways'
    | 'intake'
    | 'siteName'
    | 'sampler'
    | 'onAlerts'
  > & { readonly publicUrl: string | undefined },
): Notifications {
  const siteStates = () =>
    seen.configuration.current().sites.flatMap(({ id, name, enabled }) => {
      const health = enabled ? seen.gateways.health(id) : undefined;
      return health ? [{ id, name, healthy: health.healthy, reason: health.reason }] : [];
    });
  const notifications = createNotifications({
    ...seen,
    sealer: accounts.sealer,
    siteStates,
    loadPercent: loadMeter((listener) => seen.sampler.subscribe(listener)),
  });
  seen.intake.subscribe((events) =>
    notifications.onAttacks(attacksIn(events, seen.now(), (id) => seen.siteName(id))),
  );
  accounts.audit.subscribe((record) => void notifications.onAction(record));
  seen.onAlerts((alerts) => notifications.onAlerts(alerts));
  return notifications;
}

/** The configuration in force, what gateways say, and who watches. */
async function coreParts(storage: Storage, options: PartsOptions, directives: Directives) {
  const { log, now = Date.now } = options;
  const accounts = await accountParts(storage, options.dataDir, now);
  const { audit } = accounts;
  const stored = storedConfiguration();
  const readParts = (db: Db | Trx) => readSnapshotParts(stored, accounts.sealer, db);
  const configuration = createConfiguration({ storage, audit, now, readParts });
  await ensureGatewaySecrets(storage.db, accounts.sealer, now());
  await configuration.start();
  const gateways = new GatewayRegistry();
  const siteName = (id: string) => configuration.current().sites.find((site) => site.id === id)?.name;
  const ruleName = async (id: string) => (await stored.protection.rules.find(storage.read, id))?.value.name;
  const countries = await openCountries(options.countryDatabaseFile);
  const hub = new LogHub(randomBytes(6).toString('hex'), (active) => directives({ type: 'watch', active }));
  const intake = createIntake({ storage, log, now });
  const bans = createBans({ storage, log, now, configuration, intake, onChange: directives });
  const entriesOf = (events: readonly SecurityEvent[]) =>
    events.map((event) => entryOfEvent(event, { siteName, ...countries }));
  const show = (events: readonly SecurityEvent[]) => hub.publish(entriesOf(events));
  configuration.subscribe((snapshot) => directives({ type: 'snapshot', snapshot }));
  intake.subscribe(show);
  audit.subscribe((record) => hub.publish([entryOfRecord(record)]));
  const duty = createDuty(storage, log);
  const clock = new ClockDoubt(now);
  const core = { storage, log, now, clock, duty, configuration, gateways, intake, bans, siteName, ruleName };
  const fleet = createFleetWatch({ ...core, identity: identityOf(options) }, options.peers ?? noPeers);
  const seen = { ...core, fleet };
  return { accounts, stored, countries, hub, entriesOf, show, seen };
}

/** Wires the parts over an open database. @throws StartError where the key file does not fit */
export async function assemble(
  storage: Storage,
  options: PartsOptions,
  directives: Directives,
): Promise<Parts> {
  const core = await coreParts(storage, options, directives);
  const { accounts, stored, countries, hub, entriesOf, show, seen } = core;
  const { log, duty, fleet } = seen;
  const bornAt = performance.now();
  const jobs = createJobs(seen);
  const host = watchHost({ ...seen, ...stored, ...accounts, dataDir: options.dataDir });
  const notifications = notificationsOver(accounts, { ...seen, ...host, publicUrl: options.publicUrl });
  const protect = (addresses: readonly string[]) => directives({ type: 'operators', addresses });
  const operators = createOperatorAddresses({ storage, now: seen.now, onChange: protect });
  const upkeep = createUpkeep(
    { ...seen, ...stored, ...accounts, operators },
    { authority: options.acme, countries },
  );
  const recheckStreams = () => {
    Promise.all([hub.recheck(), host.systemReaders.recheck()]).catch((error) =>
      log.error('Streams could not be checked', { reason: String(error) }),
    );
  };
  const exchange = createPeerExchange(
    { ...seen, ...accounts, hub, entriesOf, notifications, recheckStreams, issuing: upkeep.issuer.underWay },
    options.peers ?? noPeers,
  );
  // SQLite has one service.
  const shared = storage.dialect === 'postgres' ? [exchange] : [];
  return {
    ...seen,
    ...host,
    startedAt: seen.now(),
    uptimeMs: () => performance.now() - bornAt,
    ...accounts,
    ...stored,
    notifications,
    issuer: upkeep.issuer,
    operators,
    countries,
    hub,
    showSightings: show,
    sessionsEnded() {
      recheckStreams();
      exchange.sessionsEnded();
    },
    tokenKeyReplaced: () => exchange.tokenKeyReplaced(),
    ...runningOrder([
      duty,
      fleet,
      ...shared,
      hub,
      host.sampler,
      host.systemReaders,
      jobs,
      notifications,
      upkeep.jobs,
    ]),
  };
}

interface Runs {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** Starts in order and stops in the opposite one. */
function runningOrder(all: readonly Runs[]): Pick<Parts, 'start' | 'stop'> {
  return {
    async start() {
      for (const one of all) await one.start();
    },
    async stop() {
      for (const one of all.toReversed()) await one.stop();
    },
  };
}
