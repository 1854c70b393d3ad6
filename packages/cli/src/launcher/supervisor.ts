import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log/index.ts';
import { type ChildOptions, type Ready, type Start, startChild, stopChild } from './child.ts';

const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** A process that lived this long starts its back-off anew. */
const steadyMs = 30_000;

/** Keeps one process of the product running: restarts it when it ends, ever more slowly while it keeps ending. */
export interface Supervised {
  start(): Promise<Exclude<Start, { ok: true }> | { readonly ok: true; readonly ready: Ready }>;
  stop(graceMs: number): Promise<void>;
}

export interface SuperviseOptions extends Omit<ChildOptions, 'environment'> {
  /** who speaks in the log: `gateway-1` */
  readonly name: string;
  /** asked anew at each start, since ports become known only then */
  readonly environment: () => NodeJS.ProcessEnv;
  readonly log: Log;
}

/** @returns one that was not started yet */
export function supervise({ name, environment, log, ...how }: SuperviseOptions): Supervised {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let restarting: Promise<void> | undefined;
  /** before the next start, should it end before it is steady */
  let pauseMs = firstPauseMs;

  async function launch(): Promise<Start> {
    const spawned = startChild({ ...how, environment: environment() });
    // Before it is ready: it may have to be stopped meanwhile.
    child = spawned.child;
    const started = await spawned.started;
    if (!started.ok) return started;
    const since = performance.now();
    child.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return;
      log.error(`${name} ended and is started again`, { reason: signal ?? `code ${code}` });
      if (performance.now() - since > steadyMs) pauseMs = 0;
      restarting = restart();
    });
    // It may have ended between its word of being ready and the line above.
    if (child.exitCode !== null) child.emit('exit', child.exitCode, child.signalCode);
    return started;
  }

  async function restart(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = pauseMs;
      // Also where it starts and ends soon after, again and again.
      pauseMs = Math.min(pauseMs * 2 + firstPauseMs, longestPauseMs);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const started = await launch();
      if (started.ok || stopping.signal.aborted) return;
      const { message: reason, mend } = started;
      log.error(`${name} cannot start`, { reason, ...(mend !== undefined && { mend }) });
    }
  }

  return {
    async start() {
      const started = await launch();
      return started.ok ? { ok: true, ready: started.ready } : started;
    },
    async stop(graceMs) {
      stopping.abort();
      if (child) await stopChild(child, graceMs);
      await restarting;
    },
  };
}
