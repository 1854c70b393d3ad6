import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuSeconds, load, residentMb } from './gateway/load.ts';
import { luaOf, type Shape, shapes } from './gateway/requests.ts';
import {
  gatewaySubject,
  haproxySubject,
  modsecuritySubject,
  nginxSubject,
  type Subject,
  upstreamSubject,
} from './gateway/subjects.ts';
import type { BenchmarkResult } from './run.ts';

interface Tally {
  requests: number;
  cpu: number;
  errors: number;
  /** of each round */
  microsPerRequest: number[];
  p50Ms: number[];
  p99Ms: number[];
}

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
 * Flags: `--peers` adds HAProxy and ModSecurity, `--seconds=N` per measurement (2), `--rounds=N` (3).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const number = (flag: string, fallback: number) =>
    Number(args.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? fallback);
  const seconds = number('seconds', 2);
  const rounds = number('rounds', 3);
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
    const subjects: Subject[] = [
      upstream,
      await nginxSubject(upstream.port, dir),
      await gatewaySubject('Portcullis, pass-through', { upstream: url, level: 'off' }, dir),
      await gatewaySubject('Portcullis, all on, medium', { upstream: url, level: 'medium' }, dir),
    ];
    const leftOut: string[] = [];
    const others = {
      haproxy: haproxySubject,
      'libnginx-mod-http-modsecurity modsecurity-crs': modsecuritySubject,
    };
    for (const [packages, start] of peers ? Object.entries(others) : []) {
      const subject = await start(upstream.port, dir);
      if (subject) subjects.push(subject);
      else leftOut.push(`left out, for it is not installed: apt-get install ${packages}`);
    }
    running.push(...subjects.slice(1));
    const rows = await measure(subjects, dir, { seconds, rounds });
    return {
      title: 'Gateway: CPU per request, latency, memory',
      notes: [
        `wrk, 32 connections for CPU and 1 for latency, ${rounds} interleaved rounds of ${seconds} s, one worker each`,
        'CPU is user + system of all processes of the subject; times nginx = CPU per request against plain nginx',
        'in the same round, the median of all rounds, with the quartiles as spread; added = latency beyond the upstream’s own',
        'in the same round, likewise',
        ...leftOut,
      ],
      rows,
    };
  } finally {
    await Promise.all(running.map((subject) => subject.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(subjects: readonly Subject[], dir: string, plan: { seconds: number; rounds: number }) {
  const rows: Record<string, string | number>[] = [];
  const script = path.join(dir, 'shape.lua');
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
      for (const subject of inTurn) await oneRound(subject, shape, script, plan.seconds, tallies);
    }
    rows.push(...subjects.flatMap((subject) => rowOf(shape, subject, tallies)));
  }
  return rows;
}

/** One line of the table; a round is compared with the same round of nginx and of the upstream itself. */
function rowOf(shape: Shape, subject: Subject, tallies: ReadonlyMap<string, Tally>) {
  const tally = tallies.get(subject.name);
  const base = tallies.get('nginx');
  const direct = tallies.get('upstream');
  if (!tally || !base || !direct) return [];
  const perRequest = tally.cpu / tally.requests;
  const times = tally.microsPerRequest.map((micros, round) => micros / (base.microsPerRequest[round] ?? 0));
  const added = (pick: 'p50Ms' | 'p99Ms') => tally[pick].map((ms, round) => ms - (direct[pick][round] ?? 0));
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
      'p50 ms': Number(median(tally.p50Ms).toFixed(3)),
      'p99 ms': Number(median(tally.p99Ms).toFixed(3)),
      'added p50': Number(median(added('p50Ms')).toFixed(3)),
      'p50 spread': spreadOf(added('p50Ms'), 3),
      'added p99': Number(median(added('p99Ms')).toFixed(3)),
      'p99 spread': spreadOf(added('p99Ms'), 3),
      'memory MB': Math.round(residentMb(subject.pids)),
      errors: tally.errors,
    },
  ];
}

async function oneRound(
  subject: Subject,
  shape: Shape,
  script: string,
  seconds: number,
  tallies: Map<string, Tally>,
) {
  const tally: Tally = tallies.get(subject.name) ?? {
    requests: 0,
    cpu: 0,
    errors: 0,
    microsPerRequest: [],
    p50Ms: [],
    p99Ms: [],
  };
  tallies.set(subject.name, tally);
  const before = cpuSeconds(subject.pids);
  const busy = await load(subject.port, shape, script, { seconds, connections: 32 });
  const cpu = cpuSeconds(subject.pids) - before;
  tally.cpu += cpu;
  tally.microsPerRequest.push((cpu / busy.requests) * 1e6);
  tally.requests += busy.requests;
  const quiet = await load(subject.port, shape, script, { seconds: 1, connections: 1 });
  tally.p50Ms.push(quiet.p50Ms);
  tally.p99Ms.push(quiet.p99Ms);
  tally.errors += busy.errors + quiet.errors;
}
