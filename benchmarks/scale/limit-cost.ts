import { createAsker, startUpstream } from './asking.ts';
import { cpuMicrosBelow, cpuMicrosOf } from './cpu.ts';
import { limitSnapshotOf } from './large.ts';
import { type Shape, startPublished } from './published.ts';

const hosts = { without: 'plain.example.com', with: 'limited.example.com' } as const;
type Side = keyof typeof hosts;

/** Processor time and latency of a gateway's requests, with a rate limit and without any. */
export interface LimitCost {
  /** microseconds of the gateway's processor time a request, of each round */
  readonly cpuMicros: Record<Side, number[]>;
  /** microseconds of Redis' processor time a request, of each round with the limit */
  readonly redisMicros: number[];
  /** milliseconds of each request */
  readonly latencyMs: Record<Side, number[]>;
}

/**
 * @param shape whether the limit is counted by the gateway, or on Redis
 * @param connections for each of these numbers of them a measurement
 * @param perRound requests of each side in each round, which take turns
 */
export async function measureLimitCost(
  shape: Shape,
  { rounds, perRound, connections }: { rounds: number; perRound: number; connections: readonly number[] },
): Promise<LimitCost[]> {
  const upstream = await startUpstream();
  const gateway = await startPublished(shape);
  await gateway.publish(limitSnapshotOf(hosts, upstream.url));
  const costs: LimitCost[] = [];
  for (const count of connections)
    costs.push(await measureWith(count, gateway.part, { rounds, perRound: perRound * (count / 16) }));
  await gateway.stop();
  upstream.stop();
  return costs;
}

async function measureWith(
  connections: number,
  { port, pid }: { port: number; pid: number },
  { rounds, perRound }: { rounds: number; perRound: number },
): Promise<LimitCost> {
  const asker = createAsker(port, connections);
  const cost: LimitCost = {
    cpuMicros: { with: [], without: [] },
    redisMicros: [],
    latencyMs: { with: [], without: [] },
  };
  const round = async (side: Side) => {
    const before = cpuMicrosOf(pid);
    const redisBefore = cpuMicrosBelow([]).redis;
    const latencies = await asker.askAll(() => hosts[side], perRound);
    const redis = (cpuMicrosBelow([]).redis - redisBefore) / perRound;
    return { latencies, redis, micros: (cpuMicrosOf(pid) - before) / perRound };
  };
  for (const side of ['with', 'without', 'with', 'without'] as const) await round(side);
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
