import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { connectPostgres, type Storage, type Trx } from '../connect.ts';
import { migrateToLatest, schemaState } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { type CarriedTable, type CarryOptions, carry, heldMoment, takeTime } from './carry.ts';
import { planOf, type SchemaPlan } from './plan.ts';

/** Whether all rows are there for good, or none. */
export type FillOutcome = 'filled' | 'empty' | 'unknown';

/** An empty database of PostgreSQL that an installation may be written into. */
export interface EmptyPostgres {
  /**
   * Writes all of a database into it in one transaction: all of it, or nothing.
   * @param options.finish more to do in the same transaction, once all was read back
   */
  fill(
    source: Storage,
    options?: CarryOptions & { readonly finish?: (trx: Trx) => Promise<void> },
  ): Promise<CarriedTable[]>;
  /**
   * Asks what became of a `fill` that failed, for a connection that breaks while the server commits leaves that open.
   * Waits while the server still works on it.
   * @param patienceMs how long it is asked
   * @returns `unknown` where nobody answered in time. Never throws
   */
  outcome(patienceMs: number): Promise<FillOutcome>;
  close(): Promise<void>;
}

/**
 * Connects to a database and sees that it can take an installation. Nothing is written before `fill`.
 * @throws StartError where it holds one already, a newer version wrote it, or its user may not make tables
 */
export async function openEmptyPostgres(databaseUrl: string): Promise<EmptyPostgres> {
  const target = connectPostgres(databaseUrl);
  try {
    const plan = await planOf(migrations);
    await refuseUnfit(target);
    await schemaState(target.db as unknown as Kysely<never>);
    const full = await tableWithRows(target, plan);
    if (full !== undefined) throw notEmpty(full);
    let transaction = '';
    return {
      async fill(source, { finish, ...options } = {}) {
        await migrateToLatest(target.db as unknown as Kysely<never>, 'postgres');
        return heldMoment(source, (from) =>
          target.transaction(async (trx) => {
            await takeTime(trx, 'postgres');
            transaction = await idOf(trx);
            const carried = await carry(plan, from, { db: trx, dialect: 'postgres' }, options);
            await finish?.(trx);
            return carried;
          }),
        );
      },
      outcome: (patienceMs) => outcomeOf(target, transaction, plan, performance.now() + patienceMs),
      close: () => target.close(),
    };
  } catch (error) {
    await target.close();
    throw error;
  }
}

async function refuseUnfit({ db }: Storage): Promise<void> {
  const { rows } = await sql<{ encoding: string; schema: string | null; may: boolean | null }>`
    select current_setting('server_encoding') as encoding, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as may`.execute(db);
  const { encoding, schema, may } = rows[0] ?? { encoding: '', schema: null, may: null };
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database has the encoding ${encoding}, which cannot hold all text`,
      'Create one with the encoding UTF8: createdb -T template0 -E UTF8 NAME',
    );
  }
  if (may) return;
  throw new StartError(
    `Its user may not make tables${schema === null ? '' : ` in the schema ${schema}`}`,
    'Make the user the owner of the database, or grant it CREATE on the schema',
  );
}

async function idOf(trx: Trx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select txid_current()::text as id`.execute(trx);
  return rows[0]?.id ?? '';
}

const askAgainMs = 250;

async function outcomeOf(
  target: Storage,
  transaction: string,
  plan: SchemaPlan,
  until: number,
): Promise<FillOutcome> {
  for (;;) {
    const outcome = await askedOnce(target, transaction, plan).catch(() => undefined);
    if (outcome !== undefined) return outcome;
    if (performance.now() >= until) return 'unknown';
    await delay(askAgainMs);
  }
}

/** @returns undefined while the server works on it @throws where it cannot be asked, or knows nothing of it */
async function askedOnce(
  target: Storage,
  transaction: string,
  plan: SchemaPlan,
): Promise<FillOutcome | undefined> {
  // Rows that are being committed are not to be seen: only the server tells that it is at it.
  const { rows } = await sql<{ status: string | null }>`
    select txid_status(${transaction}::bigint) as status`.execute(target.db);
  if (rows[0]?.status === 'in progress') return undefined;
  const full = await tableWithRows(target, plan);
  if (full === undefined) return 'empty';
  return rows[0]?.status === 'committed' ? 'filled' : 'unknown';
}

const notEmpty = (table: string) =>
  new StartError(
    `The database is not empty: its table ${table} has rows`,
    'Name a database without an installation; one that is there is never overwritten',
  );

/** @returns whether no installation is in it: nothing, or tables without rows */
export async function isEmpty(storage: Storage): Promise<boolean> {
  return (await tableWithRows(storage, await planOf(migrations))) === undefined;
}

/** Tables without rows are what an earlier attempt left behind. */
async function tableWithRows({ db }: Storage, plan: SchemaPlan): Promise<string | undefined> {
  for (const { name } of plan.tables) {
    const { rows } = await sql<{ there: string | null }>`
      select to_regclass(quote_ident(${name}))::text as there`.execute(db);
    if (rows[0]?.there == null) continue;
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (found.rows.length > 0) return name;
  }
  return undefined;
}
