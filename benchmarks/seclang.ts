import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InspectedRequest } from '../packages/engine/src/index.ts';
import { inspectSeclang, loadSeclang, type SeclangRules } from '../packages/engine/src/seclang/index.ts';
import { cpuSeconds, load } from './gateway/load.ts';
import { luaOf, type Shape, shapes } from './gateway/requests.ts';
import { modsecuritySubject, nginxSubject, type Subject, upstreamSubject } from './gateway/subjects.ts';
import type { BenchmarkResult } from './run.ts';

const rulesDir = '/usr/share/modsecurity-crs/rules';
const setupFile = '/etc/modsecurity/crs/crs-setup.conf';

/** CPU seconds and requests, added up over rounds. */
interface Tally {
  cpu: number;
  requests: number;
}

interface Row {
  readonly shape: Shape;
  readonly script: string;
  readonly ours: Tally;
  readonly repeated: Tally;
  readonly peer: Tally;
  readonly bare: Tally;
}

/**
 * CPU per request of the Core Rule Set as Debian packages it, run by the engine; with `--peer`, by
 * libmodsecurity in nginx on the same requests. The two take turns within each round, so that a busy machine
 * is unfair to both. Flags: `--peer`, `--seconds=N` per measurement (2), `--rounds=N` (3).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  if (!existsSync(rulesDir) || !existsSync(setupFile)) {
    return {
      title: 'SecLang: not measured',
      notes: ['Install from Debian first: apt-get install modsecurity-crs'],
      rows: [],
    };
  }
  const number = (flag: string, fallback: number) =>
    Number(args.find((arg) => arg.startsWith(`--${flag}=`))?.split('=')[1] ?? fallback);
  const seconds = number('seconds', 2);
  const rounds = number('rounds', 3);
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-bench-'));
  const running: Subject[] = [];
  try {
    const peers = args.includes('--peer') ? await startPeers(dir, running) : undefined;
    const rules = loadRules();
    const rows = shapes.map((shape, index) => prepare(shape, path.join(dir, `shape${index}.lua`)));
    // A process that has just started is not what serves requests.
    for (const { shape } of rows) inspectFor(shape, rules, 1, { cpu: 0, requests: 0 }, true);
    for (let round = 0; round < rounds; round += 1) {
      for (const row of rows) await measure(row, rules, peers, seconds);
    }
    return report(rows, rules, peers !== undefined, `${rounds} rounds of ${seconds} s`);
  } finally {
    for (const subject of running.toReversed()) await subject.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Peers {
  readonly peer: Subject;
  readonly bare: Subject;
}

async function startPeers(dir: string, running: Subject[]): Promise<Peers | undefined> {
  if (['nginx', 'wrk'].some((tool) => spawnSync('which', [tool]).status !== 0)) return undefined;
  const upstream = await upstreamSubject(dir);
  running.push(upstream);
  const bare = await nginxSubject(upstream.port, dir);
  running.push(bare);
  const peer = await modsecuritySubject(upstream.port, dir);
  if (!peer) return undefined;
  running.push(peer);
  return { peer, bare };
}

function loadRules(): SeclangRules {
  const files = new Map([['crs-setup.conf', readFileSync(setupFile, 'latin1')]]);
  for (const name of readdirSync(rulesDir)) {
    files.set(name, readFileSync(path.join(rulesDir, name), 'latin1'));
  }
  return loadSeclang(files);
}

function prepare(shape: Shape, script: string): Row {
  writeFileSync(script, luaOf(shape));
  const empty = () => ({ cpu: 0, requests: 0 });
  return { shape, script, ours: empty(), repeated: empty(), peer: empty(), bare: empty() };
}

async function measure(row: Row, rules: SeclangRules, peers: Peers | undefined, seconds: number) {
  inspectFor(row.shape, rules, seconds, row.ours, true);
  inspectFor(row.shape, rules, seconds / 2, row.repeated, false);
  if (!peers) return;
  for (const kind of ['peer', 'bare'] as const) {
    const { port, pids } = peers[kind];
    const before = cpuSeconds(pids);
    const { requests, errors } = await load(port, row.shape, row.script, { seconds, connections: 4 });
    if (errors > 0) throw new Error(`${peers[kind].name} refused ${errors} of ${row.shape.name}`);
    row[kind].cpu += cpuSeconds(pids) - before;
    row[kind].requests += requests;
  }
}

/** @param fresh whether every value but the browser's own headers is one that was never seen before */
function inspectFor(shape: Shape, rules: SeclangRules, seconds: number, into: Tally, fresh: boolean): void {
  const response = { status: 200, headers: [['Content-Type', 'text/plain'] as const] };
  const until = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let count = 0;
  while (performance.now() < until) {
    const { intervention } = inspectSeclang(rules, {
      request: requestOf(shape, fresh ? count : 0),
      response,
    });
    if (intervention) throw new Error(`${shape.name} was stopped by rule ${intervention.ruleId}`);
    count += 1;
  }
  const used = process.cpuUsage(before);
  into.cpu += (used.user + used.system) / 1e6;
  into.requests += count;
}

function requestOf({ method, path: target, headers, body }: Shape, count: number): InspectedRequest {
  const unseen = (text: string) => text.replaceAll('=', `=${count}x`).replaceAll('":"', `":"${count}x`);
  const text = unseen(body);
  const length = text === '' ? [] : [['Content-Length', String(text.length)] as const];
  return {
    method,
    target: unseen(target),
    httpVersion: '1.1',
    scheme: 'http',
    headers: [
      ...Object.entries(headers).map(
        ([name, value]) => [name, name === 'Cookie' ? unseen(value) : value] as const,
      ),
      ...length,
    ],
    clientIp: '127.0.0.1',
    ...(text === '' ? {} : { body: text }),
  };
}

const microseconds = ({ cpu, requests }: Tally) => (requests === 0 ? Number.NaN : (cpu / requests) * 1e6);

function report(rows: readonly Row[], rules: SeclangRules, compared: boolean, how: string): BenchmarkResult {
  const { rules: count, gated } = rules.counts;
  return {
    title: 'The Core Rule Set, CPU per request',
    notes: [
      `${count} rules, ${gated} behind a gate; ${how}, taking turns; the setup file as Debian ships it.`,
      'Ours: parsing and all phases in one Node process, its collector included; each value new to the engine,',
      'and in the second column the same request again and again, as wrk sends it.',
      'libmodsecurity: CPU of nginx with it less that of nginx without, both proxying to the same upstream.',
    ],
    rows: rows.map((row) => {
      const ours = microseconds(row.ours);
      const plain = {
        request: row.shape.name,
        'ours µs': ours.toFixed(0),
        'repeated µs': microseconds(row.repeated).toFixed(0),
      };
      if (!compared) return plain;
      const peer = microseconds(row.peer) - microseconds(row.bare);
      return { ...plain, 'libmodsecurity µs': peer.toFixed(0), 'times less': (peer / ours).toFixed(1) };
    }),
  };
}
