import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { postgresDialect, type TestStorage } from '../storage/testing/index.ts';
import { leaseMs, renewEveryMs } from './duty.ts';

const working = path.join(import.meta.dirname, 'testing', 'working.ts');
const soon = { timeout: 30_000, interval: 10 };
const dialect = postgresDialect();
const missing = dialect.missing;

/** Services on a database of their own, and which of them did the job when. */
async function services(storage: TestStorage, children: ChildProcess[]) {
  await sql`create table done (who text, at double precision)`.execute(storage.db);
  const done = async () =>
    (await sql<{ who: string; at: number }>`select who, at from done order by at`.execute(storage.read)).rows;
  return {
    done,
    start(who: string) {
      const args = [working, String(storage.databaseUrl), who];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      children.push(child);
      return child;
    },
    /** Resolves in the pause behind a turn of its. */
    async justDidIt(who: string) {
      const times = async () => (await done()).filter((one) => one.who === who).length;
      const before = await times();
      await vi.waitFor(async () => expect(await times()).toBeGreaterThan(before), soon);
    },
  };
}

/** @returns until when somebody is on duty, and how much of that is left */
const leaseOf = async ({ read }: TestStorage) =>
  (
    await sql<{ until: number; left: number }>`
      select expires_at as until, expires_at - extract(epoch from clock_timestamp())::double precision * 1000 as left
      from leases`.execute(read)
  ).rows;

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe.skipIf(missing).concurrent(`who is on duty${missing ? ` (${missing})` : ''}`, () => {
  const children: ChildProcess[] = [];
  const opened: TestStorage[] = [];
  afterAll(async () => {
    for (const child of children) await killed(child);
    for (const storage of opened) await storage.close();
    await dialect.stop();
  });

  // A busy machine may be late, so what is measured is the lease, by the clock that it goes by.
  it('is another one within the ten seconds that docs/guide/many-machines.md tells', () => {
    expect(leaseMs + renewEveryMs).toBeLessThanOrEqual(10_000);
  });

  it.each([
    ['is killed', 'SIGKILL'],
    ['is held still, and goes on later', 'SIGSTOP'],
  ] as const)(
    'is another one where that one %s, once its lease is over, and no two of them do a job',
    async (_, how) => {
      const storage = await dialect.open();
      opened.push(storage);
      const { start, justDidIt, done } = await services(storage, children);
      const first = start('first');
      await justDidIt('first');
      start('second');
      await justDidIt('first');
      first.kill(how);
      const [lease] = await leaseOf(storage);
      expect(lease?.left).toBeLessThanOrEqual(leaseMs);
      await justDidIt('second');
      first.kill('SIGCONT');
      await justDidIt('second');
      await justDidIt('second');
      const turns = await done();
      const moved = turns.findIndex(({ who }) => who === 'second');
      expect(turns.slice(moved).map(({ who }) => who)).not.toContain('first');
      expect(turns[moved]?.at).toBeGreaterThan(lease?.until ?? Number.NaN);
    },
  );
});
