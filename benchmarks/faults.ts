import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import path from 'node:path';
import { redisMissing } from '../packages/cli/src/redis/testing/index.ts';
import { postgresMissing } from '../packages/service/src/storage/testing/index.ts';
import type { Order, Outcome } from './faults/run-all.ts';
import { scenarios } from './faults/scenarios.ts';
import type { BenchmarkResult } from './run.ts';

export const onDemand = true;

/** A network and mounts of one's own, which end with the process. */
const apart = ['--net', '--mount'];
const quick = { cut: 13, alone: 15, hold: 3 };
const full = { cut: 30, alone: 300, hold: 5 };

/** Why no network can be made here; undefined where one can. */
function namespacesMissing(): string | undefined {
  const tried = spawnSync('unshare', [...apart, 'ip', 'link', 'add', 'pc-try', 'type', 'bridge'], {
    encoding: 'utf8',
  });
  if (tried.status === 0) return undefined;
  return `no network namespaces here (${tried.error?.message ?? tried.stderr.trim()}); they need root and iproute2`;
}

/**
 * Several machines on this one, each with a cable that can be pulled, under constant traffic while one thing after the
 * other goes wrong, and an operator changes something meanwhile. Fails where a client gets a wrong or a slow answer, an event is
 * lost or told twice, totals are off, a change is not in force everywhere in the end, or the console kept silent, called
 * one absent that was there, or still complains when all is well. Flags: `--quick` (3 minutes in all), `--cut=30`, `--alone=300`, `--hold=5` (seconds),
 * `--only=redis-cut,disk`.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const title = 'Several machines under faults';
  const only = onlyOf(args);
  const missing = redisMissing ?? postgresMissing ?? namespacesMissing();
  if (missing) return { title, notes: [`left out: ${missing}`], rows: [] };
  const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  const durations = args.includes('--quick') ? quick : full;
  const order: Order = {
    durations: {
      cut: Number(flag('cut') ?? durations.cut),
      alone: Number(flag('alone') ?? durations.alone),
      hold: Number(flag('hold') ?? durations.hold),
    },
    only,
  };
  const load = loadavg()[0] ?? 0;
  const outcomes = await attempt(order);
  const problems = outcomes.flatMap(problemsOf);
  if (problems.length > 0) process.exitCode = 1;
  return {
    title: `${title}: ${verdictOn(outcomes, problems)}`,
    notes: [
      `2 services, 3 gateways, PostgreSQL and Redis, each but the services on a network of its own; load before: ${load.toFixed(1)}`,
      'blocks: answered requests whose event must be in the store once; died: events in the memory of a gateway that was killed',
      ...outcomes
        .filter(({ leftOut }) => leftOut)
        .map(({ name, leftOut }) => `left out: ${name}: ${leftOut}`),
      ...problems,
      ...outcomes.flatMap(({ name, said }) => said.map((sentence) => `${name} told: ${sentence}`)),
    ],
    rows: outcomes.filter(({ leftOut }) => !leftOut).map(rowOf),
  };
}

/**
 * @returns the faults that are to be tried alone; empty where all are
 * @throws where one is named that there is not: nothing would be tried, and all be well
 */
function onlyOf(args: readonly string[]): readonly string[] {
  const only = args.flatMap((arg) =>
    arg.startsWith('--only=') ? arg.slice('--only='.length).split(',') : [],
  );
  const names = scenarios.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length === 0) return only;
  throw new Error(
    `no fault is called ${unknown.map((name) => `'${name}'`).join(', ')}: choose of ${names.join(', ')}`,
  );
}

/** What a headline may say: of faults that were not tried nothing is known. */
export function verdictOn(
  outcomes: readonly Pick<Outcome, 'name' | 'leftOut'>[],
  problems: readonly string[],
) {
  const out = scenarios.filter(({ name }) => !outcomes.some((one) => one.name === name && !one.leftOut));
  const without = out.length === 0 ? '' : `, without ${out.map(({ name }) => name).join(', ')}`;
  if (problems.length > 0) return `FAILED${without}`;
  if (out.length === scenarios.length) return 'nothing was tried';
  return `nothing lost, nothing twice, nobody wronged${without}`;
}

async function attempt(order: Order): Promise<Outcome[]> {
  const program = path.join(import.meta.dirname, 'faults', 'run-all.ts');
  const child: ChildProcess = spawn('unshare', [...apart, process.execPath, program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const outcomes: Outcome[] = [];
  child.on('message', (outcome: Outcome) => {
    outcomes.push(outcome);
    console.error(`  ${outcome.name}: ${outcome.leftOut ?? (problemsOf(outcome).join('; ') || 'even')}`);
  });
  child.send(order);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  return outcomes;
}

function problemsOf({ name, wrong, missing, twice, totalsOff, unsaid, untrue }: Outcome): string[] {
  return [
    ...Object.entries(wrong).map(([why, times]) => `WRONG: ${name}: ${why} (${times} times)`),
    ...(missing > 0 ? [`LOST: ${name}: ${missing} events`] : []),
    ...(twice > 0 ? [`TWICE: ${name}: ${twice} events`] : []),
    ...(totalsOff > 0 ? [`OFF: ${name}: totals by ${totalsOff}`] : []),
    ...untrue.map((what) => `UNTRUE: ${name}: ${what}`),
    ...unsaid.map((what) => `SILENT: ${name}: nobody said ${what}`),
  ];
}

function rowOf(outcome: Outcome): BenchmarkResult['rows'][number] {
  const wrongs = Object.values(outcome.wrong).reduce((sum, times) => sum + times, 0);
  return {
    fault: outcome.title,
    s: Math.round(outcome.seconds),
    answered: outcome.requests,
    wrong: wrongs,
    'slowest ms': outcome.slowestMs,
    blocks: outcome.blocks,
    lost: outcome.missing,
    twice: outcome.twice,
    'totals off': outcome.totalsOff,
    died: outcome.diedWithIt === 0 ? 0 : `${outcome.diedWithIt} (${outcome.oldestMs} ms)`,
    'even after s': Number(outcome.settledSeconds.toFixed(1)),
    told: outcome.unsaid.length + outcome.untrue.length === 0 ? 'yes' : 'NO',
  };
}
