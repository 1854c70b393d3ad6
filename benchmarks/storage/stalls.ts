/** How long the event loop was held at most: by our own work, and in all. */
export interface Stalls {
  /** CPU time of the thread between two turns of the loop, milliseconds */
  readonly ownMaxMs: number;
  /** what the kernel took of that longest turn: page faults and reclaimed memory, where no call of ours waits */
  readonly ownMaxKernelMs: number;
  readonly ownP99Ms: number;
  /** time between two turns, with what the thread waited for a core; milliseconds */
  readonly wallMaxMs: number;
}

/**
 * Watches the loop of this thread. On a machine with fewer cores than busy processes a loop also stands still because
 * nobody gave it a core, which no code can mend: the thread's own CPU time tells the two apart.
 * @returns ends it
 */
export function watchStalls(): () => Stalls {
  const own: number[] = [];
  let wallMaxMs = 0;
  let ownMaxMs = 0;
  let ownMaxKernelMs = 0;
  let wall = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const used = process.threadCpuUsage();
    const kernelMs = (used.system - cpu.system) / 1000;
    const ownMs = (used.user - cpu.user) / 1000 + kernelMs;
    own.push(ownMs);
    if (ownMs > ownMaxMs) [ownMaxMs, ownMaxKernelMs] = [ownMs, kernelMs];
    wallMaxMs = Math.max(wallMaxMs, now - wall);
    [wall, cpu] = [now, used];
  }, 1);
  return () => {
    clearInterval(timer);
    own.sort((a, b) => a - b);
    const ownP99Ms = own[Math.floor(own.length * 0.99)] ?? 0;
    return { ownMaxMs, ownMaxKernelMs, ownP99Ms, wallMaxMs };
  };
}
