/** Where the time comes from, in milliseconds. */
export interface Clocks {
  /** monotonic */
  wall(): number;
  /** of this thread */
  cpu(): number;
}

const ownClocks: Clocks = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * A request may keep the worker busy for so long. The wall clock is cheap to ask and decides while it has not run
 * out; beyond it processor time does, for a worker that was not let run on a crowded machine has spent nothing.
 * @returns whether the budget is used up, between one and one and a half times `budgetMs` of work
 */
export function budgetOf(budgetMs: number, clocks: Clocks = ownClocks): () => boolean {
  let deadline = clocks.wall() + budgetMs;
  let cpuAtDeadline: number | undefined;
  return () => {
    const now = clocks.wall();
    if (now <= deadline) return false;
    const cpu = clocks.cpu();
    cpuAtDeadline ??= cpu;
    if (cpu - cpuAtDeadline >= budgetMs / 2) return true;
    deadline = now + budgetMs / 8;
    return false;
  };
}
