import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** int8, which counters and times are stored in; all of ours stay below 2^53. */
const int8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** PostgreSQL through a pool. @param onIdleError told of a connection that broke while nobody used it */
export function postgresDialect(databaseUrl: string, onIdleError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 60_000,
    application_name: 'portcullis',
    types,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', onIdleError);
  // The pool listens to idle ones only. One that breaks while it is lent out also fails its query, which tells.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}
