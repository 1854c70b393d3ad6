import { readdirSync, readFileSync } from 'node:fs';

interface ProcessTimes {
  readonly program: string;
  readonly parent: number;
  readonly micros: number;
}

/** Fields of /proc/PID/stat after the name; processor time in ticks of 10 ms. @see proc_pid_stat(5) */
function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
    const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { program, parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * 10_000 };
  } catch {
    return undefined;
  }
}

/**
 * @returns microseconds of processor time that the threads of a process have had, by the scheduler, which counts
 * nanoseconds
 */
export function cpuMicrosOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return nanos.reduce((sum, one) => sum + Number(one) / 1000, 0);
}

/** Microseconds of processor time by what a process is for. */
export interface CpuByPart {
  readonly redis: number;
  readonly postgres: number;
  /** services, and gateways that were not left out */
  readonly product: number;
}

/** @returns the same of all that this process started, and of what those started, but for some */
export function cpuMicrosBelow(except: readonly number[]): CpuByPart {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const all = new Map(pids.map((pid) => [pid, timesOf(pid)]));
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return parent !== undefined && parent > 1 && (parent === process.pid || isBelow(parent));
  };
  const sum = { redis: 0, postgres: 0, product: 0 };
  for (const pid of pids) {
    const times = all.get(pid);
    if (!times || except.includes(pid) || !isBelow(pid)) continue;
    const part = /redis|valkey/.test(times.program)
      ? 'redis'
      : times.program === 'postgres'
        ? 'postgres'
        : 'product';
    sum[part] += times.micros;
  }
  return sum;
}
