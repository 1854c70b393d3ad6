import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storageErrorKind } from './storage-error.ts';
import { postgresDialect, type TestStorage } from './testing/index.ts';

const dialect = postgresDialect();
const missing = dialect.missing === undefined ? '' : ` (${dialect.missing})`;

describe.skipIf(dialect.missing !== undefined)(`PostgreSQL in trouble${missing}`, () => {
  let storage: TestStorage;
  beforeAll(async () => {
    storage = await dialect.open();
  });
  afterAll(async () => {
    await storage?.close();
    await dialect.stop();
  });

  const backend = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(storage.db);
    return rows[0]?.pid;
  };
  const failureOf = (...statements: readonly string[]) =>
    storage
      .transaction(async (trx) => {
        for (const statement of statements) await sql.raw(statement).execute(trx);
      })
      .catch((error: unknown) => storageErrorKind(error));

  it.each([
    ['a lock that is held for longer than a statement may take', 'busy', ['select pg_sleep(5)']],
    ['a table that is not there while a backup is put back', 'other', ['select 1 from no_such_table']],
    ['a value that it cannot hold', 'data', ["select 'x'::int"]],
  ])('tells %s from what would fail again', async (_, kind, statements) => {
    expect(await failureOf('set local statement_timeout = 50', ...statements)).toBe(kind);
  });

  it('ends a transaction that stands still, and what it was to write may come again', async () => {
    const kind = await storage
      .transaction(async (trx) => {
        await sql`set local idle_in_transaction_session_timeout = 50`.execute(trx);
        const other = async () =>
          (
            await sql`select 1 from pg_stat_activity where state = 'idle in transaction'`.execute(
              storage.read,
            )
          ).rows.length;
        while ((await other()) > 0);
        await sql`select 1`.execute(trx);
      })
      .catch((error: unknown) => storageErrorKind(error));
    expect(kind).toBe('unreachable');
  });

  it('finds dead machines within half a minute', async () => {
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name in ('idle_in_transaction_session_timeout', 'enable_bitmapscan')
      order by name`.execute(storage.db);
    expect(rows.map(({ setting }) => setting)).toEqual(['off', '30000']);
  });

  it('is connected to anew where it takes no writes, as one that became a standby', async () => {
    const before = await backend();
    expect(await backend()).toBe(before);
    expect(await failureOf('set transaction read only', "insert into meta values ('a', '1')")).toBe(
      'read_only',
    );
    expect(await backend()).not.toBe(before);
  });
});
