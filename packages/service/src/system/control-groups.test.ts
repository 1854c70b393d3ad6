import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { HostReading } from './readings.ts';

const MiB = 2 ** 20;
const limit = 512 * MiB;
const reading = path.join(import.meta.dirname, 'testing', 'reading.ts');
const name = `portcullis-test-${process.pid}`;

interface Said {
  readonly before: HostReading;
  readonly after: HostReading;
  readonly betweenMs: { readonly least: number; readonly most: number };
  /** CPU time of the process between the two, microseconds */
  readonly usedMicros: number;
  readonly held: number;
}

/** How groups of one version are made: half a core and {@link limit} of memory. */
interface Version {
  readonly name: string;
  readonly folders: readonly string[];
  readonly limits: Readonly<Record<string, string>>;
  /** says which controllers groups below the root have; of version 1 each has folders of its own */
  readonly controllers?: string;
  /** what is used of the memory, and how much of it is cache that nobody uses */
  readonly memory: readonly [usage: string, cache: RegExp];
}

const mount = '/sys/fs/cgroup';

const versions: readonly Version[] = [
  {
    name: 'version 2',
    folders: [`${mount}/${name}`],
    limits: { 'cpu.max': '50000 100000', 'memory.max': String(limit) },
    controllers: `${mount}/cgroup.subtree_control`,
    memory: ['memory.current', /^inactive_file (\d+)$/m],
  },
  {
    name: 'version 1',
    folders: ['cpu', 'cpuacct', 'memory'].map((controller) => `${mount}/${controller}/${name}`),
    limits: {
      'cpu.cfs_period_us': '100000',
      'cpu.cfs_quota_us': '50000',
      'memory.limit_in_bytes': String(limit),
    },
    memory: ['memory.usage_in_bytes', /^total_inactive_file (\d+)$/m],
  },
];

const fileIn = ({ folders }: Version, file: string) =>
  folders.map((folder) => path.join(folder, file)).find((found) => existsSync(found)) ?? file;

/** Makes the groups of a version. @returns takes them away */
function make(version: Version): () => void {
  const { controllers, folders, limits } = version;
  const undo: (() => void)[] = [];
  const remove = () => {
    for (const one of undo.toReversed()) one();
  };
  try {
    const present =
      controllers === undefined ? ['cpu', 'memory'] : readFileSync(controllers, 'utf8').split(/\s+/);
    for (const controller of ['cpu', 'memory'].filter((one) => !present.includes(one))) {
      writeFileSync(controllers ?? '', `+${controller}`);
      undo.push(() => writeFileSync(controllers ?? '', `-${controller}`));
    }
    for (const folder of folders) {
      mkdirSync(folder);
      undo.push(() => rmdirSync(folder));
    }
    for (const [file, value] of Object.entries(limits)) writeFileSync(fileIn(version, file), value);
    return remove;
  } catch (error) {
    remove();
    throw error;
  }
}

/** @returns why groups of a version cannot be made here; undefined where they can */
function missing(version: Version): string | undefined {
  try {
    make(version)();
    return undefined;
  } catch (error) {
    return `no such group can be made here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function readIn(version: Version): Promise<Said & { readonly counted: number }> {
  const child: ChildProcess = spawn(process.execPath, [reading, '128', '2000'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    for (const folder of version.folders) writeFileSync(path.join(folder, 'cgroup.procs'), String(child.pid));
    child.stdin?.write('begin\n');
    if (!child.stdout) throw new Error('The process has no output');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const [usage, cache] = version.memory;
    const unused = cache.exec(readFileSync(fileIn(version, 'memory.stat'), 'utf8'))?.[1];
    const counted = Number(readFileSync(fileIn(version, usage), 'utf8')) - Number(unused);
    return { ...(JSON.parse(line) as Said), counted };
  } finally {
    child.stdin?.end();
    await exited;
  }
}

describe('figures of the host in a control group', () => {
  for (const version of versions) {
    const why = missing(version);
    it.skipIf(why !== undefined)(
      `of ${version.name} are what the kernel counts of it, against its limits${why ? ` (${why})` : ''}`,
      async () => {
        const remove = make(version);
        try {
          const { before, after, betweenMs, usedMicros, held, counted } = await readIn(version);
          expect(after.memory.total).toBe(limit);
          expect(after.memory.used).toBeGreaterThan(held);
          expect(Math.abs(after.memory.used - counted)).toBeLessThan(16 * MiB);
          // Half a core for the time between the readings, in microseconds; a busy machine takes longer for them.
          const capacity = after.cpu.capacity - before.cpu.capacity;
          expect(betweenMs.least).toBeGreaterThanOrEqual(2000);
          expect(capacity).toBeGreaterThan(betweenMs.least * 500 - 1);
          expect(capacity).toBeLessThan(betweenMs.most * 500 + 1);
          expect(Math.abs(after.cpu.used - before.cpu.used - usedMicros)).toBeLessThan(100_000);
        } finally {
          remove();
        }
      },
    );
  }
});
