import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import {
  type CgroupFiles,
  cgroupCores,
  cgroupCpuUsed,
  cgroupMemory,
  type HostReading,
  lineageOf,
  ownGroup,
  parseMeminfo,
  parseNetDev,
  parseProcStat,
} from './readings.ts';

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

/** @returns files of a folder, in their order; undefined for those that are not there */
const readEach = (folder: string, names: readonly string[]) =>
  Promise.all(names.map((name) => read(`${folder}/${name}`)));

/**
 * The own group and those above it, for a limit of each binds all below. Version 2 first; version 1, which has groups of
 * their own for memory and for CPU time, is brought into its form. @see kernel.org/doc, cgroup-v2
 */
async function readCgroups(root: string): Promise<CgroupFiles[]> {
  const groups = (await read(`${root}/proc/self/cgroup`)) ?? '';
  const base = `${root}/sys/fs/cgroup`;
  const ofVersion2 = await Promise.all(
    lineageOf(ownGroup(groups, '')).map(async (group) => {
      const names = ['memory.max', 'memory.current', 'memory.stat', 'cpu.max', 'cpu.stat'];
      const [memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat] = await readEach(base + group, names);
      return { memoryMax, memoryCurrent, memoryStat, cpuMax, cpuStat };
    }),
  );
  const found = ofVersion2.filter(({ memoryCurrent, cpuStat }) => (memoryCurrent ?? cpuStat) !== undefined);
  return found.length > 0 ? found : version1(base, groups);
}

async function version1(base: string, groups: string): Promise<CgroupFiles[]> {
  const ofMemory = lineageOf(ownGroup(groups, 'memory')).map(async (group) => {
    const names = ['memory.limit_in_bytes', 'memory.usage_in_bytes', 'memory.stat'];
    const [memoryMax, memoryCurrent, memoryStat] = await readEach(`${base}/memory${group}`, names);
    return { memoryMax, memoryCurrent, memoryStat };
  });
  const ofCpu = lineageOf(ownGroup(groups, 'cpu')).map(async (group) => {
    const [quota, period] = await readEach(`${base}/cpu${group}`, ['cpu.cfs_quota_us', 'cpu.cfs_period_us']);
    const used = await read(`${base}/cpuacct${group}/cpuacct.usage`);
    return {
      ...(quota !== undefined && period !== undefined && { cpuMax: `${quota.trim()} ${period.trim()}` }),
      ...(used !== undefined && { cpuStat: `usage_usec ${Math.floor(Number(used) / 1000)}` }),
    };
  });
  return Promise.all([...ofMemory, ...ofCpu]);
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

/** The CPU time of the group with the narrowest quota against what that allows, where one has any. */
function limitedCpu(groups: readonly CgroupFiles[]): HostReading['cpu'] | undefined {
  const limited = groups.flatMap((files) => {
    const [cores, used] = [cgroupCores(files), cgroupCpuUsed(files)];
    return cores === undefined || used === undefined || cores >= os.cpus().length ? [] : [{ cores, used }];
  });
  const [narrowest] = limited.sort((a, b) => a.cores - b.cores);
  if (!narrowest) return undefined;
  const { cores, used } = narrowest;
  return { used, capacity: (performance.now() * 1000 + performance.timeOrigin * 1000) * cores };
}

/** What the group with the narrowest limit uses of it, where one has any. */
function limitedMemory(groups: readonly CgroupFiles[], hostTotal: number): HostReading['memory'] | undefined {
  return groups.flatMap((files) => cgroupMemory(files, hostTotal) ?? []).sort((a, b) => a.total - b.total)[0];
}

/**
 * Reads the host, or the limits of the own container or service where they are narrower.
 * @param folder whose file system is measured: the data folder
 * @param root in front of /proc and /sys, for tests
 */
export async function readHost(folder: string, root = ''): Promise<HostReading> {
  const [stat, meminfo, netDev, cgroups, disk] = await Promise.all([
    read(`${root}/proc/stat`),
    read(`${root}/proc/meminfo`),
    read(`${root}/proc/net/dev`),
    readCgroups(root),
    statfs(folder),
  ]);
  const host = parseMeminfo(meminfo ?? '') ?? { used: os.totalmem() - os.freemem(), total: os.totalmem() };
  // As df counts: room that is kept back is neither used nor to be had.
  const used = (disk.blocks - disk.bfree) * disk.bsize;
  return {
    cpu: limitedCpu(cgroups) ?? parseProcStat(stat ?? '') ?? ticksOfNode(),
    memory: limitedMemory(cgroups, host.total) ?? host,
    disk: { used, total: used + disk.bavail * disk.bsize },
    network: parseNetDev(netDev ?? ''),
  };
}
