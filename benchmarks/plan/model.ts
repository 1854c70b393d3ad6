/** What one core or one machine was measured to take; microseconds of processor time unless its name says otherwise. */
export interface Figures {
  readonly gatewayRequest: number;
  /** of the gateway, for asking the shared buckets */
  readonly gatewayLimit: number;
  readonly redisLimit: number;
  readonly redisEvent: number;
  readonly serviceEvent: number;
  readonly postgresEvent: number;
  /** of Redis and of a service, for a batch or a report beside its events */
  readonly redisMessage: number;
  readonly serviceMessage: number;
  /** of PostgreSQL, for adding a site's minute to its totals */
  readonly postgresCounter: number;
  /** on the wire, sealed */
  readonly eventBytes: number;
}

/** What is asked of the whole. */
export interface Demand {
  readonly requestsPerSecond: number;
  readonly gateways: number;
  /** of requests: what is blocked, challenged or logged */
  readonly eventShare: number;
  /** of requests: on sites with a shared rate limit */
  readonly limitedShare: number;
  /** sites that a gateway sees within a quarter of a second */
  readonly sitesPerBatch: number;
}

/** How it is split. One of each is what `docs/guide/many-machines.md` sets up. */
export interface Layout {
  readonly coresPerGateway: number;
  /** Redis servers for buckets, each for the gateways of its region */
  readonly limitServers: number;
  /** streams, each on a Redis server of its own */
  readonly streams: number;
  readonly services: number;
  readonly coresPerService: number;
  /** databases that hold events and totals, each for its share of the sites */
  readonly databases: number;
  readonly coresPerDatabase: number;
}

/** Batches and reports of one gateway, a second. */
const batchesPerSecond = 4;
const reportsPerSecond = 1;
/** What a gateway may leave in its stream while services are behind, and then on its disk. */
const streamBytesPerGateway = 8 * 1024 * 1024;
const spoolBytesPerGateway = 64 * 1024 * 1024;

/** A part and how busy it is: 1 is all of its cores. */
export interface Use {
  readonly part: string;
  readonly use: number;
}

/** @returns how busy each part is, the busiest first */
export function useOf(figures: Figures, demand: Demand, layout: Layout): Use[] {
  const { requestsPerSecond: requests, gateways } = demand;
  const events = requests * demand.eventShare;
  const limited = requests * demand.limitedShare;
  const batches = gateways * batchesPerSecond;
  const messages = batches + gateways * reportsPerSecond;
  const micros: readonly (readonly [part: string, micros: number, cores: number])[] = [
    [
      'gateways',
      requests * figures.gatewayRequest + limited * figures.gatewayLimit,
      gateways * layout.coresPerGateway,
    ],
    ['Redis, buckets', limited * figures.redisLimit, layout.limitServers],
    ['Redis, streams', events * figures.redisEvent + messages * figures.redisMessage, layout.streams],
    [
      'services',
      events * figures.serviceEvent + messages * figures.serviceMessage,
      layout.services * layout.coresPerService,
    ],
    [
      'PostgreSQL',
      events * figures.postgresEvent + batches * demand.sitesPerBatch * figures.postgresCounter,
      layout.databases * layout.coresPerDatabase,
    ],
  ];
  return micros
    .map(([part, spent, cores]) => ({ part, use: spent / 1e6 / cores }))
    .sort((a, b) => b.use - a.use);
}

/** @returns requests a second at which each part is full, all else in proportion; the first to be full first */
export function saturation(
  figures: Figures,
  demand: Demand,
  layout: Layout,
): { part: string; requestsPerSecond: number }[] {
  // What grows with the number of gateways alone stays, so the point is searched, not divided out.
  const fullAt = (part: string) => {
    const useAt = (requestsPerSecond: number) =>
      useOf(figures, { ...demand, requestsPerSecond }, layout).find((one) => one.part === part)?.use ?? 0;
    let [low, high] = [0, 1e12];
    for (let round = 0; round < 80; round += 1) {
      const middle = (low + high) / 2;
      if (useAt(middle) < 1) low = middle;
      else high = middle;
    }
    return low;
  };
  return useOf(figures, demand, layout)
    .map(({ part }) => ({ part, requestsPerSecond: Math.round(fullAt(part)) }))
    .sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
}

/** Events on their way, second by second. */
export interface Course {
  readonly sent: number;
  readonly stored: number;
  readonly dropped: number;
  /** most that streams and spools held at one time, bytes of all gateways together */
  readonly mostInStreams: number;
  readonly mostOnDisks: number;
  /** from the end of the attack until everything is stored; Infinity where it never is */
  readonly secondsBehind: number;
}

const maxSeconds = 100_000;

/**
 * An attack for a while, then the usual: streams fill first, then the disks of gateways, and what is over is dropped
 * and counted.
 * @param attack share of requests that are events, and for how many seconds
 */
export function simulate(
  figures: Figures,
  demand: Demand,
  layout: Layout,
  attack: { readonly eventShare: number; readonly seconds: number },
): Course {
  const inStreams = (demand.gateways * streamBytesPerGateway) / figures.eventBytes;
  const onDisks = (demand.gateways * spoolBytesPerGateway) / figures.eventBytes;
  // The slowest of the three that events pass, beside what they do anyway.
  const perSecond = capacityOf(figures, demand, layout);
  let [sent, stored, dropped, waiting, most] = [0, 0, 0, 0, 0];
  for (let second = 0; second < maxSeconds; second += 1) {
    const share = second < attack.seconds ? attack.eventShare : demand.eventShare;
    const came = demand.requestsPerSecond * share;
    sent += came;
    const taken = Math.min(waiting + came, perSecond);
    stored += taken;
    waiting = waiting + came - taken;
    const over = Math.max(0, waiting - inStreams - onDisks);
    dropped += over;
    waiting -= over;
    most = Math.max(most, waiting);
    if (second >= attack.seconds && waiting === 0) {
      const secondsBehind = second - attack.seconds;
      return { sent, stored, dropped, ...held(most, inStreams, figures), secondsBehind };
    }
  }
  return {
    sent,
    stored,
    dropped,
    ...held(most, inStreams, figures),
    secondsBehind: Number.POSITIVE_INFINITY,
  };
}

const held = (most: number, inStreams: number, { eventBytes }: Figures) => ({
  mostInStreams: Math.min(most, inStreams) * eventBytes,
  mostOnDisks: Math.max(0, most - inStreams) * eventBytes,
});

/** @returns events a second that streams, services and databases all can take */
function capacityOf(figures: Figures, demand: Demand, layout: Layout): number {
  const idle = useOf(figures, { ...demand, eventShare: 0, limitedShare: 0 }, layout);
  const left = (part: string) => Math.max(0, 1 - (idle.find((one) => one.part === part)?.use ?? 0));
  return Math.min(
    (left('Redis, streams') * layout.streams * 1e6) / figures.redisEvent,
    (left('services') * layout.services * layout.coresPerService * 1e6) / figures.serviceEvent,
    (left('PostgreSQL') * layout.databases * layout.coresPerDatabase * 1e6) / figures.postgresEvent,
  );
}
