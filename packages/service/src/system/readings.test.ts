import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readHost, SystemSampler } from './index.ts';
import {
  cgroupCores,
  cgroupCpuUsed,
  cgroupMemory,
  ownGroup,
  parseMeminfo,
  parseNetDev,
  parseProcStat,
} from './readings.ts';
import { sampleOf } from './sampler.ts';

const GiB = 2 ** 30;

describe('figures of the host', () => {
  it('count idle and waiting ticks as free', () => {
    expect(parseProcStat('cpu  100 0 50 800 50 0 0 0 10 0\ncpu0 1 2 3 4\n')).toEqual({
      used: 150,
      capacity: 1000,
    });
    expect(parseProcStat('nothing')).toBeUndefined();
  });

  it('count as used what is not available', () => {
    const text = 'MemTotal:       1048576 kB\nMemFree:  1 kB\nMemAvailable:    262144 kB\n';
    expect(parseMeminfo(text)).toEqual({ used: 0.75 * GiB, total: GiB });
  });

  it('leave loopback out of the network', () => {
    const text = `Inter-| Receive | Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets
    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0
  eth0: 100 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0
  eth1:5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0`;
    expect(parseNetDev(text)).toEqual({ received: 105, sent: 207 });
  });

  it('are those of a container that is limited, without its idle file cache', () => {
    const files = {
      memoryMax: `${GiB}\n`,
      memoryCurrent: `${GiB / 2}\n`,
      memoryStat: `inactive_file ${GiB / 4}\n`,
    };
    expect(cgroupMemory(files, 8 * GiB)).toEqual({ used: GiB / 4, total: GiB });
    expect(cgroupMemory({ ...files, memoryMax: 'max\n' }, 8 * GiB)).toBeUndefined();
    // Version 1 says 'no limit' by a number beyond any machine.
    expect(cgroupMemory({ ...files, memoryMax: '9223372036854771712' }, 8 * GiB)).toBeUndefined();
    expect(cgroupCores({ cpuMax: '150000 100000\n' })).toBe(1.5);
    expect(cgroupCores({ cpuMax: 'max 100000\n' })).toBeUndefined();
    expect(cgroupCores({ cpuMax: '-1 100000' })).toBeUndefined();
    expect(cgroupCpuUsed({ cpuStat: 'usage_usec 42\nuser_usec 1\n' })).toBe(42);
  });

  it.each([
    ['of a service of its own', '0::/system.slice/portcullis.service\n', '/system.slice/portcullis.service'],
    ['of a container, which sees itself as the root', '0::/\n', ''],
    ['of a container that is told its name on the host', '0::/docker/4711\n', ''],
    ['of a process that was moved out of sight', '0::/../other\n', ''],
  ])('are those %s', async (_what, own, folder) => {
    const root = await mkdtemp(path.join(tmpdir(), 'portcullis-host-'));
    const group = path.join(root, 'sys/fs/cgroup', folder);
    await mkdir(path.join(root, 'proc/self'), { recursive: true });
    await mkdir(group, { recursive: true });
    await writeFile(path.join(root, 'proc/self/cgroup'), own);
    await writeFile(path.join(root, 'proc/meminfo'), 'MemTotal: 8388608 kB\nMemAvailable: 1 kB\n');
    await writeFile(path.join(group, 'memory.max'), `${GiB}\n`);
    await writeFile(path.join(group, 'memory.current'), `${GiB / 2}\n`);
    expect((await readHost(root, root)).memory).toEqual({ used: GiB / 2, total: GiB });
    await rm(root, { recursive: true });
  });

  it('are those of the narrowest limit, also of a slice above the own service', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'portcullis-host-'));
    const service = '/apps.slice/portcullis.service';
    await mkdir(path.join(root, 'proc/self'), { recursive: true });
    await mkdir(path.join(root, 'sys/fs/cgroup', service), { recursive: true });
    const write = (file: string, text: string) => writeFile(path.join(root, file), text);
    await write('proc/self/cgroup', `0::${service}\n`);
    await write('proc/meminfo', 'MemTotal: 8388608 kB\nMemAvailable: 1 kB\n');
    for (const [group, most, used] of [
      [service, 'max', GiB / 4],
      ['/apps.slice', GiB, GiB / 2],
    ] as const) {
      await write(`sys/fs/cgroup${group}/memory.max`, `${most}\n`);
      await write(`sys/fs/cgroup${group}/memory.current`, `${used}\n`);
    }
    expect((await readHost(root, root)).memory).toEqual({ used: GiB / 2, total: GiB });
    await write(`sys/fs/cgroup${service}/memory.max`, `${GiB / 2}\n`);
    expect((await readHost(root, root)).memory).toEqual({ used: GiB / 4, total: GiB / 2 });
    await rm(root, { recursive: true });
  });

  it('are those of the narrowest limit of version 1, which may be of a group above', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'portcullis-host-'));
    const write = async (file: string, text: string) => {
      const whole = path.join(root, file);
      await mkdir(path.dirname(whole), { recursive: true });
      await writeFile(whole, `${text}\n`);
    };
    await write('proc/self/cgroup', '4:memory:/pod/app\n2:cpuacct:/pod/app\n1:cpu:/pod/app\n0::/');
    await write('proc/meminfo', 'MemTotal: 8388608 kB\nMemAvailable: 1 kB');
    for (const [group, limit, used, quota] of [
      ['/pod/app', 2 ** 63, GiB / 4, -1],
      ['/pod', GiB, GiB / 2, 50_000],
    ] as const) {
      await write(`sys/fs/cgroup/memory${group}/memory.limit_in_bytes`, String(limit));
      await write(`sys/fs/cgroup/memory${group}/memory.usage_in_bytes`, String(used));
      await write(`sys/fs/cgroup/cpu${group}/cpu.cfs_quota_us`, String(quota));
      await write(`sys/fs/cgroup/cpu${group}/cpu.cfs_period_us`, '100000');
      await write(`sys/fs/cgroup/cpuacct${group}/cpuacct.usage`, '7000000');
    }
    const { memory, cpu } = await readHost(root, root);
    expect(memory).toEqual({ used: GiB / 2, total: GiB });
    expect(cpu.used).toBe(7000);
    await rm(root, { recursive: true });
  });

  it.skipIf(process.platform !== 'linux')(
    'of a disk are those of df (of Linux), for which room that is kept back is not to be had',
    async () => {
      const { stdout } = await promisify(execFile)('df', ['--output=pcent', tmpdir()]);
      const { used, total } = (await readHost(tmpdir())).disk;
      expect(Math.abs((100 * used) / total - Number.parseInt(stdout.split('\n')[1] ?? '', 10))).toBeLessThan(
        2,
      );
    },
  );

  it('finds the group of each controller of version 1', () => {
    const text = '4:memory:/system.slice/p.service\n2:cpu,cpuacct:/x\n1:name=systemd:/y\n0::/\n';
    expect(['memory', 'cpuacct', 'cpu', 'pids', ''].map((name) => ownGroup(text, name))).toEqual([
      '/system.slice/p.service',
      '/x',
      '/x',
      '',
      '',
    ]);
  });

  it('become percentages of the time between two readings', () => {
    const reading = (used: number, capacity: number) => ({
      cpu: { used, capacity },
      memory: { used: 1, total: 3 },
      disk: { used: 9, total: 10 },
      network: { received: 5, sent: 6 },
    });
    expect(sampleOf(reading(100, 1000), reading(150, 1200), 0)).toEqual({
      cpu_usage: 25,
      memory_usage: 33.3,
      disk_usage: 90,
      memory_used: 1,
      memory_total: 3,
      disk_used: 9,
      disk_total: 10,
      network_in: 5,
      network_out: 6,
      timestamp: '1970-01-01T00:00:00.000Z',
    });
  });

  it('are read of this very machine', async () => {
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const sampler = new SystemSampler({ log, now: Date.now, readHost: () => readHost(tmpdir()) });
    await sampler.sample();
    await sampler.sample();
    const sample = sampler.latest;
    expect(sample?.memory_total).toBeGreaterThan(64 * 2 ** 20);
    expect(sample?.disk_total).toBeGreaterThan(sample?.disk_used ?? 0);
    for (const value of [sample?.cpu_usage, sample?.memory_usage, sample?.disk_usage]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(100);
    }
  });

  it('are missing rather than invented where the host cannot be read, which is said once', async () => {
    const said: string[] = [];
    const log = { info: () => {}, warn: (message: string) => void said.push(message), error: () => {} };
    const sampler = new SystemSampler({ log, now: Date.now, readHost: () => readHost('/nowhere/at/all') });
    await sampler.sample();
    await sampler.sample();
    expect([sampler.latest, said]).toEqual([undefined, ['The host cannot be measured']]);
  });
});
