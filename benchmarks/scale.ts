import { loadavg } from 'node:os';
import { redisMissing } from '../packages/cli/src/redis/testing/index.ts';
import { postgresMissing } from '../packages/service/src/storage/testing/index.ts';
import type { BenchmarkResult } from './run.ts';
import { measureHandover } from './scale/handover.ts';
import { type Intake, measureIntake } from './scale/intake.ts';
import { type LimitCost, measureLimitCost } from './scale/limit-cost.ts';
import { startMachines } from './scale/machines.ts';
import { measurePropagation } from './scale/propagation.ts';

/** Starts two dozen processes; `npm run bench:scale 120 20` for two minutes of events and 20 gateways. */
export const onDemand = true;

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number) => Number(value.toFixed(2));

/** What several machines cost, on PostgreSQL and Redis of the benchmark's own, all on this machine. */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const [seconds = 20, gateways = 20, eventsPerSecond = 9000] = args.map(Number);
  const missing = redisMissing ?? postgresMissing;
  const title = 'Several machines';
  if (missing) return { title, notes: [`left out: ${missing}`], rows: [] };
  const load = rounded(loadavg()[0] ?? 0);
  const machines = await startMachines(gateways);
  try {
    const handed = await measureHandover(machines, { links: 20, changes: 40 });
    const spread = await measurePropagation(machines, 10);
    const cost = await measureLimitCost(machines, { rounds: 6, perRound: 4000, connections: 16 });
    const intake = await measureIntake(machines, { senders: 4, seconds, eventsPerSecond });
    return {
      title,
      notes: [
        `one service, ${gateways} gateways, PostgreSQL (fsync off) and Redis on this machine; load before: ${load}`,
        'a change: from the answer that it is saved until a gateway has written it as its last good one, which is after the swap',
        `events: batches of 250 from 4 senders at ${eventsPerSecond} a second, until the last one is in the database`,
        'limit: 16 connections to one gateway, rounds with and without take turns; CPU as a mean, latency as a median',
      ],
      rows: rowsOf({ gateways, handed, spread, cost, intake }),
    };
  } finally {
    await machines.stop();
  }
}

interface Measured {
  readonly gateways: number;
  readonly handed: readonly number[];
  readonly spread: readonly number[];
  readonly cost: LimitCost;
  readonly intake: Intake;
}

function rowsOf({ gateways, handed, spread, cost, intake }: Measured): BenchmarkResult['rows'] {
  const cpu = (shape: 'with' | 'without') => mean(cost.cpuMicros[shape]);
  const p50 = (shape: 'with' | 'without') => quantile(cost.latencyMs[shape], 0.5);
  return [
    {
      what: 'a change handed to 20 gateways by the link alone, p50 / p99 (ms)',
      goal: '',
      measured: `${rounded(quantile(handed, 0.5))} / ${rounded(quantile(handed, 0.99))}`,
    },
    {
      what: `a change in force on ${gateways} gateways, p50 (ms)`,
      goal: '',
      measured: rounded(quantile(spread, 0.5)),
    },
    {
      what: `a change in force on ${gateways} gateways, p99 (ms)`,
      goal: '< 1000',
      measured: rounded(quantile(spread, 0.99)),
    },
    {
      what: 'events into PostgreSQL (a second)',
      goal: '≥ 8000',
      measured: Math.round(intake.stored / intake.seconds),
    },
    {
      what: 'CPU an event: service, PostgreSQL, Redis (µs); two cores take so many a second',
      goal: '',
      measured: `${rounded(intake.cpuMicros)}; ${Math.round(2e6 / intake.cpuMicros)}`,
    },
    { what: 'events lost', goal: '0', measured: intake.sent - intake.distinct },
    { what: 'events twice', goal: '0', measured: intake.stored - intake.distinct },
    { what: 'gateway CPU a request, without limit (µs)', goal: '', measured: rounded(cpu('without')) },
    {
      what: 'shared limit, CPU a request (%)',
      goal: '≤ 15',
      measured: rounded((cpu('with') / cpu('without') - 1) * 100),
    },
    { what: 'shared limit, p50 (ms)', goal: '≤ 0.2', measured: rounded(p50('with') - p50('without')) },
  ];
}
