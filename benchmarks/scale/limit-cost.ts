import { createAsker, startUpstream } from './asking.ts';
import { cpuMicrosBelow, cpuMicrosOf } from './cpu.ts';
import { limitSnapshotOf } from './large.ts';
import { type Shape, startPublished } from './published.ts';

const hosts = {
  without: 'plain.example.com',
  usual: 'limited.example.com',
  ample: 'ample.example.com',
} as const;
type Side = 'with' | 'without';

/** Clients that are under way at the same time, each with its next request when the others had theirs. */
const together = 100;
const address = (client: number) => `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;

/** Whose requests they are: who asks once is asked for on Redis each time, who asks again soon has tokens here. */
export const mixes = {
  'one client': () => address(1),
  'clients of 10 requests': (turn: number) =>
    address((turn % together) + together * Math.floor(turn / (together * 10))),
  'clients of 1 request': address,
} as const;
export type Mix = keyof typeof mixes;

/** How many tokens are leased depends on the limit, so it is the usual one where a client does not use that up. */
const hostOf = (side: Side, mix: Mix) =>
  side === 'without' ? hosts.without : hosts[mix === 'one client' ? 'ample' : 'usual'];

/** Processor time and latency of a gateway's requests, with a rate limit and without any. */
export interface LimitCost {
  /** microseconds of the gateway's processor time a request, of each round */
  readonly cpuMicros: Record<Side, number[]>;
  /** microseconds of Redis' processor time a request, of each round with the limit; in ticks of 10 ms, so to be averaged */
  readonly redisMicros: number[];
  /** milliseconds of each request */
  readonly latencyMs: Record<Side, number[]>;
}

/**
 * @param shape whether the limit is counted by the gateway, or on Redis
 * @param cases for each a measurement
 * @param perRound requests of each side in each round, which take turns
 */
export async function measureLimitCost(
  shape: Shape,
  {
    rounds,
    perRound,
    cases,
  }: {
    rounds: number;
    perRound: number;
    cases: readonly { readonly connections: number; readonly mix: Mix }[];
  },
): Promise<LimitCost[]> {
  const upstream = await startUpstream();
  const gateway = await startPublished(shape);
  await gateway.publish(limitSnapshotOf(hosts, upstream.url));
  const costs: LimitCost[] = [];
  for (const { connections, mix } of cases) {
    const how = { rounds, perRound: perRound * (connections / 16), mix };
    costs.push(await measureWith(connections, gateway.part, how));
  }
  await gateway.stop();
  upstream.stop();
  return costs;
}

async function measureWith(
  connections: number,
  { port, pid }: { port: number; pid: number },
  { rounds, perRound, mix }: { rounds: number; perRound: number; mix: Mix },
): Promise<LimitCost> {
  const asker = createAsker(port, connections);
  const cost: LimitCost = {
    cpuMicros: { with: [], without: [] },
    redisMicros: [],
    latencyMs: { with: [], without: [] },
  };
  let clients = 0;
  const round = async (side: Side) => {
    // Nobody comes back in a later round.
    clients += perRound;
    const from = clients;
    const before = cpuMicrosOf(pid);
    const redisBefore = cpuMicrosBelow([]).redis;
    const latencies = await asker.askAll(
      () => hostOf(side, mix),
      perRound,
      (turn) => mixes[mix](from + turn),
    );
    const redis = (cpuMicrosBelow([]).redis - redisBefore) / perRound;
    return { latencies, redis, micros: (cpuMicrosOf(pid) - before) / perRound };
  };
  for (let turn = 0; turn < 4; turn += 1) for (const side of ['with', 'without'] as const) await round(side);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const side of turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const { latencies, redis, micros } = await round(side);
      cost.cpuMicros[side].push(micros);
      if (side === 'with') cost.redisMicros.push(redis);
      cost.latencyMs[side].push(...latencies);
    }
  }
  asker.stop();
  return cost;
}
