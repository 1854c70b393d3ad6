import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { residentMb } from './gateway/load.ts';
import { shapes } from './gateway/requests.ts';
import { gatewaySubject, type Subject, upstreamSubject } from './gateway/subjects.ts';
import type { BenchmarkResult } from './run.ts';

export const onDemand = true;

interface Sample {
  readonly second: number;
  readonly memoryMb: number;
  readonly descriptors: number;
}

const descriptors = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** One whole request of a measured shape, on a connection of its own every fourth time. */
function whole(port: number, index: number): Promise<void> {
  const shape = shapes[index % shapes.length];
  if (shape === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const { method, path: target, headers } = shape;
    const agent = index % 4 === 0 ? false : undefined;
    const sent = request(
      { port, host: '127.0.0.1', method, path: target, headers, ...(agent === false && { agent }) },
      (answer) => {
        answer.resume().on('close', resolve);
      },
    );
    sent.on('error', () => resolve());
    sent.end(shape.body);
  });
}

/** Raw bytes that end badly: attacks, nonsense, uploads and downloads broken off. */
const rude = [
  `GET /?id=${encodeURIComponent("1' UNION SELECT password FROM users--")} HTTP/1.1\r\nHost: bench.test\r\n\r\n`,
  'nonsense\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: bench.test\r\nContent-Length: 100000\r\n\r\npart',
  'POST / HTTP/1.1\r\nHost: bench.test\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET / HTTP/1.1\r\nHost: bench.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
];

function broken(port: number, index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(rude[index % rude.length] ?? '');
      setTimeout(() => socket.destroy(), 5 + (index % 20));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

/**
 * Mixed traffic for a while, to see memory and descriptors stay flat: whole requests of every shape beside attacks,
 * nonsense and connections broken off at every stage. Flag: `--minutes=N` (10).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const minutes = Number(args.find((arg) => arg.startsWith('--minutes='))?.split('=')[1] ?? 10);
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-soak-'));
  const running: Subject[] = [];
  try {
    const upstream = await upstreamSubject(dir);
    running.push(upstream);
    const gateway = await gatewaySubject('soak', `http://127.0.0.1:${upstream.port}`, 'medium', dir);
    running.push(gateway);
    const samples = await soak(gateway, minutes * 60);
    return {
      title: `Gateway soak of ${minutes} min`,
      notes: [verdict(samples)],
      rows: thin(samples).map(({ second, memoryMb, descriptors: open }) => ({
        'after s': second,
        'memory MB': Math.round(memoryMb),
        descriptors: open,
      })),
    };
  } finally {
    await Promise.all(running.map((subject) => subject.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function soak(gateway: Subject, seconds: number): Promise<Sample[]> {
  const pid = gateway.pids[0] ?? 0;
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  let index = 0;
  const client = async (work: (port: number, index: number) => Promise<void>) => {
    while (elapsed() < seconds) await work(gateway.port, index++);
  };
  const sampler = setInterval(() => {
    samples.push({
      second: Math.round(elapsed()),
      memoryMb: residentMb(gateway.pids),
      descriptors: descriptors(pid),
    });
  }, 1000);
  await Promise.all([
    ...Array.from({ length: 12 }, () => client(whole)),
    ...Array.from({ length: 6 }, () => client(broken)),
  ]);
  clearInterval(sampler);
  return samples;
}

/** At most twenty rows for people; the first and the last among them. */
function thin(samples: readonly Sample[]): Sample[] {
  const step = Math.max(1, Math.floor(samples.length / 20));
  return samples.filter((_, index) => index % step === 0 || index === samples.length - 1);
}

/** Compares the second quarter with the last: the first one warms up. */
function verdict(samples: readonly Sample[]): string {
  const quarter = Math.floor(samples.length / 4);
  const mean = (part: readonly Sample[], pick: (sample: Sample) => number) =>
    part.reduce((sum, sample) => sum + pick(sample), 0) / Math.max(1, part.length);
  const second = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  const memory = mean(last, (one) => one.memoryMb) - mean(second, (one) => one.memoryMb);
  const open = mean(last, (one) => one.descriptors) - mean(second, (one) => one.descriptors);
  return `from the second quarter to the last: memory ${memory.toFixed(1)} MB, descriptors ${open.toFixed(1)}`;
}
