import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * Keeps the cores from sleeping while `work` goes on, by a process a core of the class SCHED_IDLE (sched(7)), which gives way
 * at once to whoever has work. With one request at a time every hop wakes a sleeping core, which on a virtual machine
 * takes longer than what is measured; under traffic no core sleeps.
 */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  const fillers = Array.from({ length: availableParallelism() }, () =>
    spawn('chrt', ['--idle', '0', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  try {
    await Promise.all(fillers.map((filler) => once(filler, 'spawn')));
    return await work();
  } finally {
    await Promise.all(fillers.map(end));
  }
}

async function end(filler: ChildProcess): Promise<void> {
  if (filler.exitCode !== null || filler.signalCode !== null) return;
  const gone = once(filler, 'exit');
  filler.kill('SIGKILL');
  await gone;
}
