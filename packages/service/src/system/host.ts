import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import {
  type CgroupFiles,
  cgroupCores,
  cgroupCpuUsed,
  cgroupMemory,
  type HostReading,
  parseMeminfo,
  parseNetDev,
  parseProcStat,
} from './readings.ts';

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

/** Version 2 first; version 1 is brought into its form. @see kernel.org/doc, cgroup-v2 */
async function readCgroup(): Promise<CgroupFiles> {
  const base = '/sys/fs/cgroup';
  const [memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat] = await Promise.all(
    ['memory.max', 'memory.current', 'memory.stat', 'cpu.max', 'cpu.stat'].map((name) =>
      read(`${base}/${name}`),
    ),
  );
  if (memoryCurrent !== undefined || cpuStat !== undefined) {
    return { memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat };
  }
  const [limit, usage, stat, quota, period, used] = await Promise.all(
    [
      'memory/memory.limit_in_bytes',
      'memory/memory.usage_in_bytes',
      'memory/memory.stat',
      'cpu/cpu.cfs_quota_us',
      'cpu/cpu.cfs_period_us',
      'cpuacct/cpuacct.usage',
    ].map((name) => read(`${base}/${name}`)),
  );
  return {
    memoryMax: limit,
    memoryCurrent: usage,
    memoryStat: stat,
    ...(quota !== undefined && period !== undefined && { cpuMax: `${quota.trim()} ${period.trim()}` }),
    ...(used !== undefined && { cpuStat: `usage_usec ${Math.floor(Number(used) / 1000)}` }),
  };
}

/** Where /proc is missing, what Node knows of the cores. */
function ticksOfNode(): { used: number; capacity: number } {
  let used = 0;
  let capacity = 0;
  for (const { times } of os.cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    used += busy;
    capacity += busy + times.idle;
  }
  return { used, capacity };
}

/** The group's CPU time against what its quota allows, where it has one. */
function limitedCpu(files: CgroupFiles): HostReading['cpu'] | undefined {
  const cores = cgroupCores(files);
  const used = cgroupCpuUsed(files);
  if (cores === undefined || used === undefined || cores >= os.cpus().length) return undefined;
  return { used, capacity: (performance.now() * 1000 + performance.timeOrigin * 1000) * cores };
}

/**
 * Reads the host, or the container's own limits where they are narrower.
 * @param folder whose file system is measured: the data folder
 */
export async function readHost(folder: string): Promise<HostReading> {
  const [stat, meminfo, netDev, cgroup, disk] = await Promise.all([
    read('/proc/stat'),
    read('/proc/meminfo'),
    read('/proc/net/dev'),
    readCgroup(),
    statfs(folder),
  ]);
  const host = parseMeminfo(meminfo ?? '') ?? { used: os.totalmem() - os.freemem(), total: os.totalmem() };
  const total = disk.blocks * disk.bsize;
  return {
    cpu: limitedCpu(cgroup) ?? parseProcStat(stat ?? '') ?? ticksOfNode(),
    memory: cgroupMemory(cgroup, host.total) ?? host,
    disk: { used: total - disk.bavail * disk.bsize, total },
    network: parseNetDev(netDev ?? ''),
  };
}
