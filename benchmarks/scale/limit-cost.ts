import { setTimeout as delay } from 'node:timers/promises';
import { createAsker, startUpstream } from './asking.ts';
import { cpuMicrosBelow, cpuMicrosOf } from './cpu.ts';
import type { Machines } from './machines.ts';

const hosts = { without: 'plain.example.com', with: 'limited.example.com' } as const;
type Shape = keyof typeof hosts;

/** Processor time and latency of a gateway's requests, with the shared limit and without any. */
export interface LimitCost {
  /** microseconds of the gateway's processor time a request, of each round */
  readonly cpuMicros: Record<Shape, number[]>;
  /** microseconds of Redis' processor time a request, of each round with the limit */
  readonly redisMicros: number[];
  /** milliseconds of each request */
  readonly latencyMs: Record<Shape, number[]>;
}

/** @param perRound requests of each shape in each round; the shapes take turns */
export async function measureLimitCost(
  { call, gateways }: Machines,
  { rounds, perRound, connections }: { rounds: number; perRound: number; connections: number },
): Promise<LimitCost> {
  const upstream = await startUpstream();
  for (const [shape, host] of Object.entries(hosts)) {
    const rate_limit =
      shape === 'with' ? { enabled: true, capacity: 1_000_000, window: 60 } : { enabled: false };
    await call('POST', '/api/sites', {
      name: shape,
      domains: [host],
      backend_url: upstream.url,
      rate_limit,
    });
  }
  await delay(3000);
  const gateway = gateways[0]?.part;
  if (!gateway) throw new Error('no gateway');
  const asker = createAsker(gateway.port, connections);
  const cost: LimitCost = {
    cpuMicros: { with: [], without: [] },
    redisMicros: [],
    latencyMs: { with: [], without: [] },
  };
  const round = async (shape: Shape, count: number) => {
    const before = cpuMicrosOf(gateway.pid);
    const redisBefore = cpuMicrosBelow([]).redis;
    const latencies = await asker.askAll(() => hosts[shape], count);
    const redis = (cpuMicrosBelow([]).redis - redisBefore) / count;
    return { latencies, redis, micros: (cpuMicrosOf(gateway.pid) - before) / count };
  };
  for (const shape of ['with', 'without'] as const) await round(shape, perRound);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const shape of turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const { latencies, redis, micros } = await round(shape, perRound);
      cost.cpuMicros[shape].push(micros);
      if (shape === 'with') cost.redisMicros.push(redis);
      cost.latencyMs[shape].push(...latencies);
    }
  }
  asker.stop();
  upstream.stop();
  return cost;
}
