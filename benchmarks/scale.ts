import { loadavg } from 'node:os';
import { redisMissing } from '../packages/cli/src/redis/testing/index.ts';
import { postgresMissing } from '../packages/service/src/storage/testing/index.ts';
import type { BenchmarkResult } from './run.ts';
import { measureHandover } from './scale/handover.ts';
import { type Intake, measureIntake } from './scale/intake.ts';
import { type Mix, measureLimitCost } from './scale/limit-cost.ts';
import { intakePlaceOf, type Machines, startMachines } from './scale/machines.ts';
import { measurePropagation } from './scale/propagation.ts';
import type { Shape } from './scale/published.ts';
import { measureSwap } from './scale/swap.ts';
import { type Load, measureWeight } from './scale/weight.ts';

/** Starts two dozen processes. */
export const onDemand = true;

type Rows = BenchmarkResult['rows'];

/** Counts of what is measured, each by a flag of its name. */
interface Plan {
  readonly gateways: number;
  readonly changes: number;
  readonly seconds: number;
  /** events a second that are sent */
  readonly rate: number;
  readonly rounds: number;
  readonly sites: number;
  readonly addresses: number;
  readonly swaps: number;
}
const usual: Plan = {
  gateways: 20,
  changes: 20,
  seconds: 120,
  rate: 9000,
  rounds: 8,
  sites: 10_000,
  addresses: 1_000_000,
  swaps: 10,
};

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const median = (values: readonly number[]) => quantile(values, 0.5);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number) => Number(value.toFixed(2));
const row = (what: string, goal: string, measured: string | number) => ({ what, goal, measured });

/** @returns of both shapes, side by side */
async function eachShape(measure: (shape: Shape) => Promise<ReturnType<typeof row>[]>): Promise<Rows> {
  const [embedded, machines] = [await measure('embedded'), await measure('machines')];
  return embedded.map(({ what, goal, measured }, index) => {
    const beside = machines[index]?.measured ?? '';
    return { what, goal, 'one machine': measured, 'several machines': beside };
  });
}

async function withMachines(
  shape: Shape,
  gateways: number,
  measure: (machines: Machines) => Promise<ReturnType<typeof row>[]>,
): Promise<ReturnType<typeof row>[]> {
  const machines = await startMachines(gateways, shape);
  try {
    return await measure(machines);
  } finally {
    await machines.stop();
  }
}

const change = (plan: Plan) =>
  eachShape((shape) =>
    withMachines(shape, plan.gateways, async (machines) => {
      const handed = await measureHandover(machines, { links: plan.gateways, changes: plan.changes });
      const spread = await measurePropagation(machines, plan.changes);
      const both = (values: readonly number[]) =>
        `${rounded(median(values))} / ${rounded(quantile(values, 0.99))}`;
      const [byLink, inForce] = ['handed to', 'in force on'].map(
        (what) => `a change ${what} ${plan.gateways} gateways, p50 / p99 (ms)`,
      );
      return [row(byLink ?? '', '', both(handed)), row(inForce ?? '', 'p99 < 1000', both(spread))];
    }),
  );

function intakeRows(intake: Intake) {
  const { product, postgres, redis } = intake.cpuMicros;
  const twoCores = Math.round(2e6 / (product + postgres + redis));
  const parts = [product, postgres, redis].map(rounded).join(' + ');
  return [
    row('events into the database (a second)', '≥ 8000', Math.round(intake.stored / intake.seconds)),
    row(
      'CPU an event: service + PostgreSQL + Redis (µs); two cores take so many a second',
      '',
      `${parts}; ${twoCores}`,
    ),
    row(
      'events lost / twice',
      '0 / 0',
      `${intake.sent - intake.distinct} / ${intake.stored - intake.distinct}`,
    ),
  ];
}

const events = (plan: Plan) =>
  eachShape((shape) => {
    const how = { senders: 4, seconds: plan.seconds, eventsPerSecond: plan.rate };
    return withMachines(shape, 0, async (machines) =>
      intakeRows(await measureIntake(intakePlaceOf(machines), how)),
    );
  });

/** While the cores are full, and while there is room, which tells how long a limit takes. */
const limitConnections = [16, 4] as const;
const limitMixes: readonly Mix[] = ['one client', 'clients of 10 requests', 'clients of 1 request'];
const usualMix: Mix = 'clients of 10 requests';

const limit = (plan: Plan) =>
  eachShape(async (shape) => {
    const cases = limitMixes.flatMap((mix) => limitConnections.map((connections) => ({ connections, mix })));
    // Short rounds, so that what else the machine does meets both sides of a comparison.
    const costs = await measureLimitCost(shape, { rounds: plan.rounds * 2, perRound: 4000, cases });
    const goal = (mix: Mix, what: string) => (mix === usualMix ? what : '');
    return cases.flatMap(({ connections, mix }, index) => {
      const { cpuMicros, redisMicros, latencyMs } = costs[index] as (typeof costs)[number];
      const longer = rounded(median(latencyMs.with) - median(latencyMs.without));
      const said = `rate limit, ${mix}`;
      if (connections !== limitConnections[0])
        return [row(`${said}: p50 longer, ${connections} connections (ms)`, goal(mix, '≤ 0.2'), longer)];
      const ratios = cpuMicros.with.map((micros, round) => micros / (cpuMicros.without[round] ?? micros));
      const plain = rounded(median(cpuMicros.without));
      const [lower, more, upper] = [0.25, 0.5, 0.75].map((q) => rounded((quantile(ratios, q) - 1) * 100));
      return [
        row(`${said}: gateway CPU a request without it (µs)`, '', plain),
        row(
          `${said}: more with it, on several machines shared, median (quartiles) (%)`,
          goal(mix, '≤ 15'),
          `${more} (${lower} to ${upper})`,
        ),
        row(`${said}: Redis' CPU a request (µs)`, '', rounded(mean(redisMicros))),
        row(`${said}: p50 longer, cores full, ${connections} connections (ms)`, '', longer),
      ];
    });
  });

const weight = (name: (plan: Plan) => string, large: (plan: Plan) => Load) => (plan: Plan) =>
  eachShape(async (shape) => {
    const how = { rounds: plan.rounds, perRound: 10_000, connections: 16 };
    const { small, large: heavy } = await measureWeight(shape, large(plan), how);
    const ratios = heavy.map((micros, at) => micros / (small[at] ?? micros));
    return [
      row('gateway CPU a request, 1 site, no addresses (µs)', '', rounded(median(small))),
      row(`the same with ${name(plan)} (%)`, '≤ 10', rounded((median(ratios) - 1) * 100)),
    ];
  });

const swap = (plan: Plan) =>
  eachShape(async (shape) => {
    const how = { sites: plan.sites, swaps: plan.swaps, addresses: 0 };
    const { quiet, swapping, own } = await measureSwap(shape, how);
    const both = (values: readonly number[]) =>
      `${rounded(median(values))} / ${rounded(Math.max(...values))}`;
    const during = `slowest request while ${plan.sites} sites are swapped in`;
    return [
      row(
        'slowest request in 2 s, nothing swapped, median / worst (ms)',
        '',
        both(quiet.map(({ ms }) => ms)),
      ),
      row(`${during}, median / worst (ms)`, '≤ 20', both(swapping.map(({ ms }) => ms))),
      row(
        `${during}, less the wait for a core, median / worst (ms)`,
        '≤ 20',
        both(swapping.map(({ coreFreeMs }) => coreFreeMs)),
      ),
      row('the gateway at work at a stretch meanwhile, median / worst (ms)', '≤ 20', both(own)),
    ];
  });

/** In the order of the goals. */
const measures: Record<string, (plan: Plan) => Promise<Rows>> = {
  change,
  events,
  limit,
  sites: weight(
    ({ sites }) => `${sites} sites`,
    ({ sites }) => ({ sites, addresses: 0 }),
  ),
  addresses: weight(
    ({ addresses }) => `${addresses} listed addresses`,
    ({ addresses }) => ({ sites: 1, addresses }),
  ),
  swap,
};

/**
 * What several machines cost, on PostgreSQL and Redis of the benchmark's own, all on this machine, and beside it the
 * same on one machine with SQLite and a Unix socket. Flags: `--only=change,events,limit,sites,addresses,swap`, and a number for
 * each field of {@link Plan}, such as `--seconds=20 --gateways=8`.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const missing = redisMissing ?? postgresMissing;
  const title = 'Several machines';
  if (missing) return { title, notes: [`left out: ${missing}`], rows: [] };
  const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  const plan = Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [name, Number(flag(name) ?? value)]),
  ) as unknown as Plan;
  const chosen = flag('only')?.split(',') ?? Object.keys(measures);
  const load = rounded(loadavg()[0] ?? 0);
  const rows: BenchmarkResult['rows'][number][] = [];
  for (const name of chosen) rows.push(...((await measures[name]?.(plan)) ?? []));
  return {
    title,
    notes: [
      `services, gateways, PostgreSQL (fsync off) and Redis on this machine; load before: ${load}`,
      'a change: from the answer that it is saved until a gateway has written it as its last good one, which is after the swap',
      `events: batches of 250 from 4 senders at ${plan.rate} a second, until the last one is in the database`,
      'sides of a comparison take turns; CPU as the median of the ratios of rounds',
      'a swap: one of the sites differs, in its words and in what it inspects; clients in a thread of their own ask all the while',
    ],
    rows,
  };
}
