/** CPU time that this process has used, in microseconds. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Mean, median, 99th percentile and maximum. */
export function summary(samples: readonly number[]): { mean: number; p50: number; p99: number; max: number } {
  const sorted = [...samples].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    mean: samples.reduce((sum, one) => sum + one, 0) / samples.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  };
}
