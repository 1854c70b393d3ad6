import { readdirSync, readFileSync } from 'node:fs';

interface ProcessTimes {
  readonly parent: number;
  readonly micros: number;
}

/** Fields of /proc/PID/stat after the name; processor time in ticks of 10 ms. @see proc_pid_stat(5) */
function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * 10_000 };
  } catch {
    return undefined;
  }
}

/** @returns microseconds of processor time that a process has had */
export const cpuMicrosOf = (pid: number): number => timesOf(pid)?.micros ?? 0;

/** @returns the same of all that this process started, and of what those started, but for some */
export function cpuMicrosBelow(except: readonly number[]): number {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const all = new Map(pids.map((pid) => [pid, timesOf(pid)]));
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return parent !== undefined && parent > 1 && (parent === process.pid || isBelow(parent));
  };
  return pids
    .filter((pid) => !except.includes(pid) && isBelow(pid))
    .reduce((sum, pid) => sum + (all.get(pid)?.micros ?? 0), 0);
}
