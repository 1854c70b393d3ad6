import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicrosOf } from './cpu.ts';
import type { Machines } from './machines.ts';

const hosts = { without: 'plain.example.com', with: 'limited.example.com' } as const;
export type Shape = keyof typeof hosts;

/** Processor time and latency of a gateway's requests, with the shared limit and without any. */
export interface LimitCost {
  /** microseconds of the gateway's processor time a request, of each round */
  readonly cpuMicros: Record<Shape, number[]>;
  /** milliseconds of each request */
  readonly latencyMs: Record<Shape, number[]>;
}

/** @param perRound requests of each shape in each round; the shapes take turns */
export async function measureLimitCost(
  { call, gateways }: Machines,
  { rounds, perRound, connections }: { rounds: number; perRound: number; connections: number },
): Promise<LimitCost> {
  const upstream = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  for (const [shape, host] of Object.entries(hosts)) {
    const rate_limit =
      shape === 'with' ? { enabled: true, capacity: 1_000_000, window: 60 } : { enabled: false };
    await call('POST', '/api/sites', {
      name: shape,
      domains: [host],
      backend_url: `http://127.0.0.1:${port}`,
      rate_limit,
    });
  }
  await delay(3000);
  const gateway = gateways[0]?.part;
  if (!gateway) throw new Error('no gateway');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = (host: string) =>
    new Promise<void>((resolve, reject) => {
      request({ port: gateway.port, host: '127.0.0.1', agent, headers: { host } }, (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
        );
      })
        .on('error', reject)
        .end();
    });
  const cost: LimitCost = { cpuMicros: { with: [], without: [] }, latencyMs: { with: [], without: [] } };
  const round = async (shape: Shape, count: number) => {
    const latencies: number[] = [];
    const before = cpuMicrosOf(gateway.pid);
    let left = count;
    const asking = async () => {
      while (left-- > 0) {
        const began = performance.now();
        await ask(hosts[shape]);
        latencies.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: connections }, asking));
    return { latencies, micros: (cpuMicrosOf(gateway.pid) - before) / count };
  };
  for (const shape of ['with', 'without'] as const) await round(shape, perRound);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const shape of turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const { latencies, micros } = await round(shape, perRound);
      cost.cpuMicros[shape].push(micros);
      cost.latencyMs[shape].push(...latencies);
    }
  }
  agent.destroy();
  upstream.close();
  return cost;
}
