import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** Milliseconds of CPU below which nothing can have grown, and a busy machine measures noise. */
const quick = 100;

/** Runs that are measured at most; what else the machine does only adds, so the least of them counts. */
const attempts = 5;

/**
 * Expects that work grows no more than four times as much as its size does: linear work grows as the size, quadratic
 * work as its square. CPU time of this thread alone is compared, as a busy machine takes of the clock what it likes.
 * @param work does it once at a size
 * @param sizes in whatever unit; the second is at least 16 times the first
 * @param told what the failure names
 */
export function expectLinear(
  work: (size: number) => void,
  [small, large]: readonly [small: number, large: number],
  told: string,
): void {
  const most = leastCpu(() => work(large), quick);
  if (most < quick) return;
  const least = Math.max(
    leastCpu(() => work(small), 0),
    0.5,
  );
  expect({ told, least, most, fold: most / least }).toSatisfy(
    ({ fold }: { fold: number }) => fold < (4 * large) / small,
  );
}

/** @returns milliseconds of the quickest run; no more are made once one took less than `enough` */
function leastCpu(run: () => void, enough: number): number {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && least >= enough; attempt += 1) {
    const before = cpuTime();
    run();
    least = Math.min(least, cpuTime() - before);
  }
  return least;
}

/**
 * Does work that may never end, as a pattern that doubles its ways with each byte does, and stops it.
 * @returns whether it ended within so many milliseconds of the clock; give a thousand times what it should take
 */
export function endsWithin(milliseconds: number, work: () => void): boolean {
  try {
    runInNewContext('work()', { work }, { timeout: milliseconds });
    return true;
  } catch (error) {
    // An error of the other context, whose Error is another.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

/** What a work is compared with takes this long at least, for less is noise. */
const fewMilliseconds = 4;

/** @returns how many times the CPU time of `other` a work takes, the quickest run of each, taken in turns */
export function foldOf(work: () => void, other: () => void): number {
  let [one, two] = [Infinity, Infinity];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    one = Math.min(one, leastCpu(work, Infinity));
    two = Math.min(two, leastCpu(other, Infinity));
  }
  return one / Math.max(two, fewMilliseconds);
}

/**
 * Does works in turn, and stops one that takes for ever; those behind it are left undone. CPU time of this thread
 * counts, however long the machine lets it wait.
 * @param most milliseconds of CPU beyond which a work may be stopped
 * @returns milliseconds of CPU of each, Infinity of what was stopped, and 0 of those left undone
 */
export function cpuTimes(most: number, works: readonly (() => void)[]): number[] {
  const times = new Array<number>(works.length).fill(0);
  let at = 0;
  let began = cpuTime();
  const goOn = (): void => {
    for (; at < works.length; at += 1) {
      began = cpuTime();
      works[at]?.();
      times[at] = cpuTime() - began;
    }
  };
  // By the clock, which runs on where the machine lets this wait, or works before it took the time: then for longer.
  for (let limit = most * 2; !endsWithin(limit, goOn); limit *= 2) {
    if (cpuTime() - began <= most) continue;
    times[at] = Infinity;
    break;
  }
  return times;
}

/** Whether a work takes more than so many milliseconds of CPU, twice. */
export function takesLonger(most: number, work: () => void): boolean {
  return [work, work].every((one) => (cpuTimes(most, [one])[0] ?? 0) > most);
}

/** Milliseconds of CPU that this thread has taken. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
