import { type Demand, type Figures, type Layout, saturation, simulate, useOf } from './plan/model.ts';
import type { BenchmarkResult } from './run.ts';

/**
 * The first six as `npm run bench:scale` gave them on two otherwise idle cores; the other four are taken, on the safe
 * side, and not measured. Each is a flag, for figures of another machine.
 */
const measured: Figures = {
  gatewayRequest: 32,
  gatewayLimit: 14,
  redisLimit: 10,
  redisEvent: 0.8,
  serviceEvent: 31,
  postgresEvent: 25,
  redisMessage: 40,
  serviceMessage: 300,
  postgresCounter: 60,
  eventBytes: 200,
};
const asked: Demand = {
  requestsPerSecond: 1_000_000,
  gateways: 1000,
  eventShare: 0.005,
  limitedShare: 1,
  sitesPerBatch: 20,
};
/** What docs/guide/many-machines.md sets up, and what docs/guide/a-thousand-gateways.md makes of it. */
const layouts: Readonly<Record<string, Layout>> = {
  'one of each': {
    coresPerGateway: 1,
    limitServers: 1,
    streams: 1,
    services: 2,
    coresPerService: 1,
    databases: 1,
    coresPerDatabase: 8,
  },
  split: {
    coresPerGateway: 1,
    limitServers: 16,
    streams: 4,
    services: 8,
    coresPerService: 1,
    databases: 4,
    coresPerDatabase: 8,
  },
};
const attack = { eventShare: 0.05, seconds: 600 };

const percent = (share: number) => `${Math.round(share * 100)} %`;
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/**
 * Where each part of many machines is full, by the figures of one. Flags: each field of {@link Figures} and of
 * {@link Demand}, such as `--gatewayRequest=180 --requestsPerSecond=200000`.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  const told = <T extends object>(usual: T): T =>
    Object.fromEntries(
      Object.entries(usual).map(([name, value]) => [name, Number(flag(name) ?? value)]),
    ) as T;
  const [figures, demand] = [told(measured), told(asked)];
  const notes: string[] = [];
  const rows: BenchmarkResult['rows'][number][] = [];
  for (const [name, layout] of Object.entries(layouts)) {
    const full = saturation(figures, demand, layout);
    for (const { part, use } of useOf(figures, demand, layout)) {
      const at = full.find((one) => one.part === part)?.requestsPerSecond ?? 0;
      rows.push({ layout: name, part, 'busy at that demand': percent(use), 'full at requests a second': at });
    }
    const course = simulate(figures, demand, layout, attack);
    notes.push(
      `${name}: ${full[0]?.part} are full first; of ${Math.round(course.sent)} events in and after an attack ` +
        `${Math.round(course.dropped)} dropped and counted, ${megabytes(course.mostInStreams)} MB in streams, ` +
        `${megabytes(course.mostOnDisks)} MB on gateways' disks, even ${course.secondsBehind} s after it`,
    );
  }
  return {
    title: `${demand.gateways} gateways, ${demand.requestsPerSecond} requests a second, reckoned`,
    notes: [
      `of requests ${percent(demand.limitedShare)} under a shared limit, ${demand.eventShare * 100} % events; in an attack of ${attack.seconds} s ${percent(attack.eventShare)}`,
      ...notes,
    ],
    rows,
  };
}
