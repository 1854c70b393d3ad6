import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { accessLogFormats } from '@portcullis/contract/sites';
import { awake } from './gateway/awake.ts';
import { cpuSeconds, load, residentMb } from './gateway/load.ts';
import { type Pair, pairs } from './gateway/pairs.ts';
import { luaOf, type Shape, shapes } from './gateway/requests.ts';
import {
  type GatewaySubject,
  gatewaySubject,
  haproxySubject,
  modsecuritySubject,
  nginxSubject,
  type Subject,
  upstreamSubject,
} from './gateway/subjects.ts';
import type { Pause, WorkerPlan } from './gateway/worker-plan.ts';
import type { BenchmarkResult } from './run.ts';

interface Tally {
  requests: number;
  cpu: number;
  errors: number;
  /** of each round */
  microsPerRequest: number[];
  pairs: Pair[][];
  /** what made the slowest pairs of all rounds slow, each once */
  causes: Cause[];
}

type Cause = Pause['cause'] | 'own work' | 'elsewhere';

/** Between the two nearest values, so that few rounds have quartiles on both sides of their median. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  return below + (at % 1) * ((sorted[Math.ceil(at)] ?? below) - below);
}
const median = (values: readonly number[]) => quantile(values, 0.5);

/**
 * CPU per request, latency at one connection and memory of the gateway beside its peers on one upstream. All
 * subjects take turns within each round, in every second one backwards, so that a busy machine is unfair to all of
 * them alike and nobody always follows the same other.
 * Flags: `--peers` adds HAProxy and ModSecurity, `--access-log` the gateway with an access log in each of its forms,
 * `--against=DIR` the gateway of another checkout that is installed there,
 * `--awake` keeps the cores from sleeping while latency is measured,
 * `--seconds=N` per measurement (2), `--rounds=N` (5), `--pairs=N` a round (4000).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const number = (flag: string, fallback: number) =>
    Number(args.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? fallback);
  const seconds = number('seconds', 2);
  const rounds = number('rounds', 5);
  const count = number('pairs', 4000);
  const peers = args.includes('--peers');
  const missing = ['nginx', 'wrk'].filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing.length > 0) {
    return {
      title: 'Gateway: not measured',
      notes: [`Install from Debian first: apt-get install ${missing.join(' ')}`],
      rows: [],
    };
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-bench-'));
  const running: Subject[] = [];
  try {
    const upstream = await upstreamSubject(dir);
    running.push(upstream);
    const url = `http://127.0.0.1:${upstream.port}`;
    const nginx = await nginxSubject(upstream.port, dir);
    running.push(nginx);
    for (const [name, plan, root] of gatewaysOf(args))
      running.push(await gatewaySubject(name, { upstream: url, ...plan }, dir, root));
    const subjects: Subject[] = [...running];
    const leftOut: string[] = [];
    const others = {
      haproxy: haproxySubject,
      'libnginx-mod-http-modsecurity modsecurity-crs': modsecuritySubject,
    };
    for (const [packages, start] of peers ? Object.entries(others) : []) {
      const subject = await start(upstream.port, dir);
      if (subject) {
        subjects.push(subject);
        running.push(subject);
      } else leftOut.push(`left out, for it is not installed: apt-get install ${packages}`);
    }
    const before = loadavg()[0]?.toFixed(1);
    const plan = { seconds, rounds, count, keepsAwake: args.includes('--awake') };
    const rows = await measure(subjects, dir, plan);
    const loads = `load of the machine at the begin and the end: ${before} and ${loadavg()[0]?.toFixed(1)}`;
    return {
      title: 'Gateway: CPU per request, latency, memory',
      notes: [...methodOf(plan), loads, ...leftOut],
      rows,
    };
  } finally {
    await Promise.all(running.map((subject) => subject.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}

type GatewayOf = readonly [
  name: string,
  plan: Pick<WorkerPlan, 'level' | 'accessLog'>,
  root?: string | undefined,
];

/** The gateways that the flags ask for. */
function gatewaysOf(args: readonly string[]): GatewayOf[] {
  const levels = [
    ['pass-through', { level: 'off' }],
    ['all on, medium', { level: 'medium' }],
  ] as const;
  const against = args.find((arg) => arg.startsWith('--against='))?.split('=')[1];
  const root = against === undefined ? undefined : path.resolve(against);
  const logs = args.includes('--access-log') ? accessLogFormats : [];
  return [
    ...levels.map(([what, plan]): GatewayOf => [`Portcullis, ${what}`, plan]),
    ...levels
      .filter(() => root !== undefined)
      .map(([what, plan]): GatewayOf => [`Portcullis of ${path.basename(root ?? '')}, ${what}`, plan, root]),
    ...logs.map(
      (accessLog): GatewayOf => [
        `Portcullis, all on, medium, access log ${accessLog}`,
        { level: 'medium', accessLog },
      ],
    ),
  ];
}

interface Plan {
  readonly seconds: number;
  readonly rounds: number;
  /** pairs in each round */
  readonly count: number;
  /** while latency is measured no core sleeps */
  readonly keepsAwake: boolean;
}

function methodOf({ seconds, rounds, count, keepsAwake }: Plan): string[] {
  return [
    `CPU: wrk, 32 connections, ${rounds} interleaved rounds of ${seconds} s, one worker each; user + system of all processes of the`,
    'subject; times nginx = CPU per request against plain nginx in the same round, the median of all rounds, with the quartiles as',
    `spread. Latency: ${count} pairs a round of one request straight to the upstream and one through the subject, by one client over`,
    'two kept connections in turn; added = quantiles of the differences within pairs, median and quartiles of the rounds. What the',
    'upstream itself adds is the noise of the measure. core-free = less the time in which client, upstream or subject stood ready',
    'and had no core; slowest = what held up the slowest hundredth of these. Cores',
    keepsAwake
      ? 'are kept awake while latency is measured, by a process of idle priority on each'
      : 'that sleep are woken at every hop, which --awake leaves out',
  ];
}

async function measure(subjects: readonly Subject[], dir: string, plan: Plan) {
  const rows: Record<string, string | number>[] = [];
  const script = path.join(dir, 'shape.lua');
  const [upstream] = subjects;
  if (upstream === undefined) return rows;
  // All kinds before the first is measured: else that one alone would pay for the compiler's work.
  for (const shape of shapes) {
    writeFileSync(script, luaOf(shape));
    for (const subject of subjects) await load(subject.port, shape, script, { seconds: 2, connections: 32 });
  }
  for (const shape of shapes) {
    writeFileSync(script, luaOf(shape));
    const tallies = new Map<string, Tally>();
    for (let round = 0; round < plan.rounds; round++) {
      const inTurn = round % 2 === 0 ? subjects : subjects.toReversed();
      for (const subject of inTurn) {
        await oneRound({ subject, upstream, shape, script, plan, tallies });
      }
    }
    rows.push(...subjects.flatMap((subject) => rowOf(shape, subject, tallies)));
  }
  return rows;
}

/** One line of the table; a round is compared with the same round of nginx. */
function rowOf(shape: Shape, subject: Subject, tallies: ReadonlyMap<string, Tally>) {
  const tally = tallies.get(subject.name);
  const base = tallies.get('nginx');
  if (!tally || !base) return [];
  const perRequest = tally.cpu / tally.requests;
  const times = tally.microsPerRequest.map((micros, round) => micros / (base.microsPerRequest[round] ?? 0));
  const rounds = (share: number, of: (pair: Pair) => number) =>
    tally.pairs.map((pairsOfRound) => quantile(pairsOfRound.map(of), share));
  const ms = (values: readonly number[]) => Number(median(values).toFixed(3));
  const spreadOf = (values: readonly number[], digits: number) =>
    `${quantile(values, 0.25).toFixed(digits)}–${quantile(values, 0.75).toFixed(digits)}`;
  return [
    {
      request: shape.name,
      subject: subject.name,
      'requests/CPU-s': Math.round(1 / perRequest),
      'µs CPU/request': Number((perRequest * 1e6).toFixed(1)),
      'times nginx': Number(median(times).toFixed(2)),
      spread: spreadOf(times, 1),
      'p50 ms': ms(rounds(0.5, ({ throughMs }) => throughMs)),
      'p99 ms': ms(rounds(0.99, ({ throughMs }) => throughMs)),
      'straight p99': ms(rounds(0.99, ({ straightMs }) => straightMs)),
      'added p50': ms(rounds(0.5, added)),
      'p50 spread': spreadOf(rounds(0.5, added), 3),
      'added p99': ms(rounds(0.99, added)),
      'p99 spread': spreadOf(rounds(0.99, added), 3),
      'core-free p50': ms(rounds(0.5, coreFree)),
      'core-free p99': ms(rounds(0.99, coreFree)),
      slowest: sharesOf(tally.causes),
      'memory MB': Math.round(residentMb(subject.pids)),
      errors: tally.errors,
    },
  ];
}

const added = ({ throughMs, straightMs }: Pair) => throughMs - straightMs;
/** What would be added if everybody got a core when ready for it. */
const coreFree = (pair: Pair) => added(pair) - pair.waitedMs;

function sharesOf(causes: readonly Cause[]): string {
  return Object.entries(Object.groupBy(causes, (cause) => cause))
    .map(([cause, alike]): [string, number] => [cause, alike.length / causes.length])
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, share]) => `${cause} ${Math.round(share * 100)} %`)
    .join(', ');
}

/** @returns the cause of each of the slowest pairs: what explains half of what is beyond the usual */
function causesOf(measured: readonly Pair[], pauses: readonly Pause[]): Cause[] {
  const usualMs = median(measured.map(coreFree));
  const usualWorkMs = median(measured.map(({ workMs }) => workMs));
  const fromMs = quantile(measured.map(coreFree), 0.99);
  return measured
    .filter((pair) => coreFree(pair) >= fromMs)
    .map((pair) => {
      const half = (coreFree(pair) - usualMs) / 2;
      const within = pauses.filter(({ begin, ms }) => begin < pair.end && begin + ms > pair.begin);
      const pause = within.find(({ ms }) => ms > half);
      return pause?.cause ?? (pair.workMs - usualWorkMs > half ? 'own work' : 'elsewhere');
    });
}

interface Round {
  readonly subject: Subject;
  readonly upstream: Subject;
  readonly shape: Shape;
  readonly script: string;
  readonly plan: Plan;
  readonly tallies: Map<string, Tally>;
}

async function oneRound({ subject, upstream, shape, script, plan, tallies }: Round) {
  const tally: Tally = tallies.get(subject.name) ?? {
    requests: 0,
    cpu: 0,
    errors: 0,
    microsPerRequest: [],
    pairs: [],
    causes: [],
  };
  tallies.set(subject.name, tally);
  const before = cpuSeconds(subject.pids);
  const busy = await load(subject.port, shape, script, { seconds: plan.seconds, connections: 32 });
  const cpu = cpuSeconds(subject.pids) - before;
  tally.cpu += cpu;
  tally.microsPerRequest.push((cpu / busy.requests) * 1e6);
  tally.requests += busy.requests;
  tally.errors += busy.errors;
  const pausesOf = async () => ('pauses' in subject ? await (subject as GatewaySubject).pauses() : []);
  await pausesOf();
  const inPairs = () =>
    pairs({ upstream: answering(upstream), subject: answering(subject), shape, count: plan.count });
  const measured = await (plan.keepsAwake ? awake(inPairs) : inPairs());
  tally.pairs.push(measured);
  tally.causes.push(...causesOf(measured, await pausesOf()));
}

function answering({ port, pids }: Subject) {
  const pid = pids.at(-1);
  if (pid === undefined) throw new Error('a subject has no process');
  return { port, pid };
}
