import { sweepAttempts, sweepSessions } from '../auth/index.ts';
import { retain } from '../events/index.ts';
import type { Log } from '../log.ts';
import { forgetSettled, keptMs } from '../notifications/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';

/** Work that is done by the clock. */
export interface Jobs {
  start(): void;
  stop(): void;
}

export interface JobParts {
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
  /** another service does the work while this is false */
  readonly duty: { readonly held: boolean };
  /** why nothing may be dropped for its age now, undefined where it may */
  readonly clock: { readonly reason: string | undefined };
}

/** One piece of work and how often it is due. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** every service does it for itself, on duty or not */
  readonly everywhere?: boolean;
  /** it loses nothing but what is over its time, and waits while the clock is in doubt */
  readonly byAge?: boolean;
  run(parts: JobParts): Promise<void>;
}

const gigabyte = 1024 ** 3;

/** Drops events that are over the days or the bytes of the general settings; while the clock is in doubt, the bytes alone. */
export const retention: Job = {
  name: 'drop events that are over their time or their bytes',
  everyMs: 600_000,
  async run({ storage, log, now, clock }) {
    const { logRetentionDays, logRetentionGigabytes } = await readSettings(storage.read, 'general');
    const days = clock.reason === undefined ? logRetentionDays : undefined;
    const limits = { days, bytes: logRetentionGigabytes * gigabyte };
    const dropped = await retain(storage, limits, now());
    if (dropped.length > 0) log.info('Dropped whole days of events', { days: dropped });
  },
};

const jobs: readonly Job[] = [
  {
    name: 'forget sessions and sign-in attempts that ran out',
    everyMs: 60_000,
    async run({ storage, now }) {
      await sweepSessions(storage.db, now());
      await sweepAttempts(storage.db, await readSettings(storage.read, 'security'), now());
    },
  },
  retention,
  {
    name: 'forget old notifications',
    everyMs: 3_600_000,
    byAge: true,
    run: ({ storage, now }) => forgetSettled(storage.db, now() - keptMs),
  },
];

/** Runs each job by its interval while on duty, never twice at once; a failure is logged and the next turn tries again. */
export function createJobs(parts: JobParts, list: readonly Job[] = jobs): Jobs {
  const timers: NodeJS.Timeout[] = [];
  const schedule = (job: Job) => {
    let busy = false;
    const turn = async () => {
      if (busy || !(job.everywhere || parts.duty.held)) return;
      if (job.byAge && parts.clock.reason !== undefined) return;
      busy = true;
      try {
        await job.run(parts);
      } catch (error) {
        parts.log.error(`A job failed: ${job.name}`, { reason: String(error) });
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(() => void turn(), job.everyMs);
    timer.unref();
    timers.push(timer);
  };
  return {
    start: () => list.forEach(schedule),
    stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
  };
}
