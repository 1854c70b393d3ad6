import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import {
  type CgroupFiles,
  cgroupCores,
  cgroupCpuUsed,
  cgroupMemory,
  type HostReading,
  ownGroup,
  parseMeminfo,
  parseNetDev,
  parseProcStat,
} from './readings.ts';

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

/** Version 2 first; version 1 is brought into its form. @see kernel.org/doc, cgroup-v2 */
async function readCgroup(root: string): Promise<CgroupFiles> {
  const groups = (await read(`${root}/proc/self/cgroup`)) ?? '';
  const base = `${root}/sys/fs/cgroup`;
  const readOwn = async (mount: string, controller: string, name: string) =>
    (await read(`${mount}${ownGroup(groups, controller)}/${name}`)) ?? read(`${mount}/${name}`);
  const [memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat] = await Promise.all(
    ['memory.max', 'memory.current', 'memory.stat', 'cpu.max', 'cpu.stat'].map((name) =>
      readOwn(base, '', name),
    ),
  );
  if (memoryCurrent !== undefined || cpuStat !== undefined) {
    return { memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat };
  }
  const readFirst = (controller: string, name: string) => readOwn(`${base}/${controller}`, controller, name);
  const [limit, usage, stat, quota, period, used] = await Promise.all([
    readFirst('memory', 'memory.limit_in_bytes'),
    readFirst('memory', 'memory.usage_in_bytes'),
    readFirst('memory', 'memory.stat'),
    readFirst('cpu', 'cpu.cfs_quota_us'),
    readFirst('cpu', 'cpu.cfs_period_us'),
    readFirst('cpuacct', 'cpuacct.usage'),
  ]);
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
 * Reads the host, or the limits of the own container or service where they are narrower.
 * @param folder whose file system is measured: the data folder
 * @param root in front of /proc and /sys, for tests
 */
export async function readHost(folder: string, root = ''): Promise<HostReading> {
  const [stat, meminfo, netDev, cgroup, disk] = await Promise.all([
    read(`${root}/proc/stat`),
    read(`${root}/proc/meminfo`),
    read(`${root}/proc/net/dev`),
    readCgroup(root),
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
