import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Shape } from './requests.ts';

const run = promisify(execFile);

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly errors: number;
}

/** Drives one address with wrk over kept-alive connections. Rejects when wrk is not installed. */
export async function load(
  port: number,
  shape: Shape,
  script: string,
  options: { seconds: number; connections: number },
): Promise<LoadResult> {
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${options.connections}`,
    `-d${options.seconds}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}${shape.path}`,
  ]);
  const total = /(\d+) requests in ([\d.]+)s/.exec(stdout);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
  const broken = /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout);
  const errors = [failed?.[1], ...(broken?.slice(1) ?? [])].reduce((sum, text) => sum + Number(text ?? 0), 0);
  return { requests: Number(total?.[1] ?? 0), seconds: Number(total?.[2] ?? 0), errors };
}

const clockTicks = 100;

/** @returns CPU seconds, user and system, that these processes have used so far */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / clockTicks;
}

/** @returns resident memory in MB */
export function residentMb(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}
