/** What is read of the host at one moment. Counters rise; their difference over time is a rate. */
export interface HostReading {
  /** CPU time used and CPU time there was, in the same unit, since any fixed moment */
  readonly cpu: { readonly used: number; readonly capacity: number };
  readonly memory: { readonly used: number; readonly total: number };
  readonly disk: { readonly used: number; readonly total: number };
  /** bytes since boot, over all interfaces but loopback */
  readonly network: { readonly received: number; readonly sent: number };
}

/** @returns busy and total ticks of all cores. @see proc(5), /proc/stat */
export function parseProcStat(text: string): { used: number; capacity: number } | undefined {
  const ticks = /^cpu\s+([\d ]+)$/m.exec(text)?.[1]?.trim().split(/\s+/).map(Number);
  if (!ticks || ticks.length < 5) return undefined;
  // guest time is counted in user time already, so only the first eight columns add up to the whole.
  const capacity = ticks.slice(0, 8).reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { used: capacity - idle, capacity };
}

/** @returns bytes; what could be freed at once counts as free. @see proc(5), /proc/meminfo */
export function parseMeminfo(text: string): { used: number; total: number } | undefined {
  const field = (name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  };
  const total = field('MemTotal');
  const available = field('MemAvailable') ?? field('MemFree');
  return total === undefined || available === undefined ? undefined : { used: total - available, total };
}

/** @returns bytes over all interfaces but loopback. @see proc(5), /proc/net/dev */
export function parseNetDev(text: string): { received: number; sent: number } {
  let received = 0;
  let sent = 0;
  for (const line of text.split('\n')) {
    const [, name, fields] = /^\s*([^:\s]+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || name === 'lo') continue;
    const columns = (fields ?? '').trim().split(/\s+/).map(Number);
    received += columns[0] ?? 0;
    sent += columns[8] ?? 0;
  }
  return { received, sent };
}

/** Files of a control group, as they are named in version 2; undefined where there is none. */
export interface CgroupFiles {
  readonly memoryMax?: string | undefined;
  readonly memoryCurrent?: string | undefined;
  readonly memoryStat?: string | undefined;
  readonly cpuMax?: string | undefined;
  readonly cpuStat?: string | undefined;
}

/**
 * Where the group of this process lies below a controller's folder: a service's own below that of the machine, the
 * folder itself within a container.
 * @param text of /proc/self/cgroup. @param controller `memory`, `cpu`, …; empty for version 2
 * @see cgroups(7)
 */
export function ownGroup(text: string, controller: string): string {
  const lines = text.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  const [, , group = '/'] = lines.find((line) => line?.[1]?.split(',').includes(controller)) ?? [];
  // Of a process that was moved out of what it can see.
  return group === '/' || group.includes('/..') ? '' : group;
}

/** @returns the group's own memory where it is limited below the host's; undefined where the host's counts */
export function cgroupMemory(
  files: CgroupFiles,
  hostTotal: number,
): { used: number; total: number } | undefined {
  const total = Number(files.memoryMax);
  const current = Number(files.memoryCurrent);
  if (!Number.isFinite(total) || !Number.isFinite(current) || total <= 0 || total >= hostTotal)
    return undefined;
  // File cache that nobody uses goes when memory is short.
  const cache = Number(/^(?:total_)?inactive_file (\d+)$/m.exec(files.memoryStat ?? '')?.[1] ?? 0);
  return { used: Math.max(0, current - cache), total };
}

/** @returns a group and those above it, as far as the root, which is empty */
export function lineageOf(group: string): string[] {
  const names = group.split('/').filter((name) => name !== '');
  return [...names.map((_, index) => `/${names.slice(0, names.length - index).join('/')}`), ''];
}

/** @returns how many cores the group may use; undefined where it is not limited */
export function cgroupCores(files: CgroupFiles): number | undefined {
  const [quota, period] = (files.cpuMax ?? '').trim().split(/\s+/).map(Number);
  return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : undefined;
}

/** @returns microseconds of CPU time that the group used */
export function cgroupCpuUsed(files: CgroupFiles): number | undefined {
  const used = /^usage_usec (\d+)$/m.exec(files.cpuStat ?? '')?.[1];
  return used === undefined ? undefined : Number(used);
}
