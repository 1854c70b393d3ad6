import { type CpuInfo, cpus } from 'node:os';

const sum = (cores: readonly CpuInfo[]) =>
  cores.reduce(
    (all, { times }) => ({
      idle: all.idle + times.idle,
      total: all.total + times.user + times.nice + times.sys + times.idle + times.irq,
    }),
    { idle: 0, total: 0 },
  );

/**
 * Measures how busy the processors were between two looks.
 * @param read the processors' times since boot
 * @returns a look: percent over all cores since the look before; undefined the first time
 */
export function loadMeter(read: () => readonly CpuInfo[] = cpus): () => number | undefined {
  let before: { readonly idle: number; readonly total: number } | undefined;
  return () => {
    const now = sum(read());
    const total = now.total - (before?.total ?? now.total);
    const idle = now.idle - (before?.idle ?? now.idle);
    before = now;
    return total > 0 ? Math.min(100, Math.max(0, (1 - idle / total) * 100)) : undefined;
  };
}
