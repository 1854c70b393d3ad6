import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { certificateFor } from '../packages/gateway/src/testing/certificate.ts';
import { residentMb } from './gateway/load.ts';
import { type GatewaySubject, gatewaySubject } from './gateway/subjects.ts';
import type { BenchmarkResult } from './run.ts';
import { honest } from './soak/honest.ts';
import { rude } from './soak/rude.ts';
import { Tally } from './soak/tally.ts';
import { startSoakUpstream } from './soak/upstream.ts';

export const onDemand = true;

interface Sample {
  readonly second: number;
  readonly residentMb: number;
  /** in use after a collection */
  readonly liveMb: number;
  readonly descriptors: number;
}

/** Growth from the second quarter to the last that still counts as flat. */
const flat = { liveMb: 4, descriptors: 10 };

/**
 * Mixed traffic for a while: HTTP/1.1, HTTP/2, TLS, WebSockets, event streams and uploads beside attacks, floods,
 * clients that leave at every stage and upstreams that break, under a reload a second. Fails where memory or
 * descriptors grow, or an honest client gets a wrong answer. Flag: `--minutes=N` (10).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const minutes = Number(args.find((arg) => arg.startsWith('--minutes='))?.split('=')[1] ?? 10);
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-soak-'));
  const upstream = await startSoakUpstream();
  const certificate = await certificateFor(['bench.test']);
  const plan = { upstream: upstream.url, level: 'medium', certificate, without: ['size_limit', 'csrf'] };
  const gateway = await gatewaySubject('soak', plan, dir);
  const tally = new Tally();
  try {
    const samples = await soak(gateway, minutes * 60, tally);
    const problems = [...growth(samples), ...wrongs(tally), ...died(gateway)];
    if (problems.length > 0) process.exitCode = 1;
    return {
      title: `Gateway soak of ${minutes} min: ${problems.length === 0 ? 'flat, nobody wronged' : 'FAILED'}`,
      notes: [...problems, ...totals(tally)],
      rows: thin(samples).map((one) => ({
        'after s': one.second,
        'live MB': Number(one.liveMb.toFixed(1)),
        'resident MB': Math.round(one.residentMb),
        descriptors: one.descriptors,
      })),
    };
  } finally {
    tally.stop();
    await gateway.stop();
    await upstream.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function soak(gateway: GatewaySubject, seconds: number, tally: Tally): Promise<Sample[]> {
  const doors = { httpPort: gateway.port, httpsPort: gateway.httpsPort };
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  let index = 0;
  const lanes: Promise<void>[] = [];
  for (const [kind, { atOnce, client }] of [...Object.entries(honest), ...Object.entries(rude)]) {
    const lane = async () => {
      while (elapsed() < seconds) await tally.run(kind, () => client(doors, index++));
    };
    for (let at = 0; at < atOnce; at++) lanes.push(lane());
  }
  const reloads = setInterval(() => gateway.reload(), 1000);
  const watch = async () => {
    while (elapsed() < seconds) {
      const liveMb = (await gateway.liveBytes()) / 2 ** 20;
      const descriptors = readdirSync(`/proc/${gateway.pids[0]}/fd`).length;
      const second = Math.round(elapsed());
      samples.push({ second, residentMb: residentMb(gateway.pids), liveMb, descriptors });
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  };
  await Promise.all([...lanes, watch()]);
  clearInterval(reloads);
  return samples;
}

/** At most twenty rows for people; the first and the last among them. */
function thin(samples: readonly Sample[]): Sample[] {
  const step = Math.max(1, Math.floor(samples.length / 20));
  return samples.filter((_, index) => index % step === 0 || index === samples.length - 1);
}

/** Compares the second quarter with the last, by their medians: the first one warms up. */
function growth(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  const median = (part: readonly Sample[], pick: (sample: Sample) => number) =>
    part.map(pick).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const second = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  const problems: string[] = [];
  for (const kind of ['liveMb', 'descriptors'] as const) {
    const grown = median(last, (one) => one[kind]) - median(second, (one) => one[kind]);
    if (grown > flat[kind]) problems.push(`NOT FLAT: ${kind} grew by ${grown.toFixed(1)}`);
  }
  return problems;
}

function died({ pids }: GatewaySubject): string[] {
  return pids
    .filter((pid) => !existsSync(`/proc/${pid}/fd`))
    .map((pid) => `DIED: the gateway's process ${pid}`);
}

function wrongs({ kinds }: Tally): string[] {
  return [...kinds].flatMap(([kind, { wrong }]) =>
    [...wrong].map(([why, times]) => `WRONG: ${kind}: ${why} (${times} times)`),
  );
}

function totals({ kinds }: Tally): string[] {
  return [...kinds].map(([kind, { done, ownFault, latenciesMs }]) => {
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    const asleep = ownFault > 0 ? `; ${ownFault} broke off while the soak itself was held still` : '';
    return `${kind}: ${done}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${asleep}`;
  });
}
