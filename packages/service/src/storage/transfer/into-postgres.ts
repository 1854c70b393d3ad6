import { type Kysely, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { connectPostgres, type Storage, type Trx } from '../connect.ts';
import { migrateToLatest, schemaState } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { type CarriedTable, type CarryOptions, carry, heldMoment, takeTime } from './carry.ts';
import { planOf, type SchemaPlan } from './plan.ts';

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
    await refuseFull(target, plan);
    return {
      async fill(source, { finish, ...options } = {}) {
        await migrateToLatest(target.db as unknown as Kysely<never>, 'postgres');
        return heldMoment(source, (from) =>
          target.transaction(async (trx) => {
            await takeTime(trx, 'postgres');
            const carried = await carry(plan, from, { db: trx, dialect: 'postgres' }, options);
            await finish?.(trx);
            return carried;
          }),
        );
      },
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

/** Tables without rows are what an earlier attempt left behind. */
async function refuseFull({ db }: Storage, plan: SchemaPlan): Promise<void> {
  for (const { name } of plan.tables) {
    const { rows } = await sql<{ there: string | null }>`
      select to_regclass(quote_ident(${name}))::text as there`.execute(db);
    if (rows[0]?.there == null) continue;
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (found.rows.length === 0) continue;
    throw new StartError(
      `The database is not empty: its table ${name} has rows`,
      'Name a database without an installation; one that is there is never overwritten',
    );
  }
}
