import { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** int8, which counters and times are stored in; all of ours stay below 2^53. */
const int8 = 20;

/** A server that takes longer to answer a connection is not there. */
const reachMs = 3000;

/**
 * A page of the newest events is a short walk of an index in its order. Where a class of events is far larger than
 * the average PostgreSQL would rather gather all of it in a bitmap and sort it: measured, 400 ms instead of 1.
 */
const inIndexOrder = 'set enable_bitmapscan = off';

/**
 * A machine that goes dark in the middle of a change leaves its locks behind, and every other service waits for them: the
 * server is to find out within half a minute, where its own settings say two hours. One that is held still for as long
 * loses its transaction too. What the server or its platform does not know is left out.
 */
const locksOfTheDead = `
  select set_config(name, wanted, false)
  from (values
    ('tcp_keepalives_idle', '10'),
    ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '25000'),
    ('idle_in_transaction_session_timeout', '30000')) as settings (name, wanted)
  join pg_settings using (name)`;

/** After a failover a name may lead to another server than connections that stand. */
const maxLifetimeSeconds = 600;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** SQLSTATE of a write to a standby. */
const readOnlyTransaction = '25006';

/** PostgreSQL through a pool. @param onIdleError told of a connection that broke while nobody used it */
export function postgresDialect(databaseUrl: string, onIdleError: (error: Error) => void): PostgresDialect {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: reachMs,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    statement_timeout: 60_000,
    maxLifetimeSeconds,
    application_name: 'portcullis',
    types,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', onIdleError);
  // The pool listens to idle ones only. One that breaks while it is lent out also fails its query, which tells.
  const readOnly = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    askByCallback(client, (error) => {
      if (error.code === readOnlyTransaction) readOnly.add(client);
    });
    // In one message: of two, the caller's own first query would be a third in a row, at which the library complains.
    client.query(`${inIndexOrder}; ${locksOfTheDead}`).catch(() => undefined);
  });
  // A server that became the standby of another answers on, and would be asked for ever.
  pool.on('release', (_error, client) => {
    if (readOnly.has(client)) client.end().catch(() => undefined);
  });
  watchLent(pool, async () => {
    if (await answers(databaseUrl)) return;
    for (const socket of sockets)
      socket.destroy(new Error('Connection terminated: PostgreSQL does not answer any more'));
  });
  return new PostgresDialect({ pool });
}

/**
 * Without a callback pg assigns a function of its own to a property for each query. V8 makes such a function old at
 * birth, and what it holds, the query with its values and rows, then lives until the next full collection:
 * docs/decisions/024.
 */
function askByCallback(client: pg.PoolClient, onFailure: (error: { code?: string }) => void): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const ask = (text: unknown, values?: unknown, ...others: unknown[]) =>
    typeof text === 'string' && typeof values !== 'function' && others.length === 0
      ? new Promise((resolve, reject) => {
          query(text, values, (error: (Error & { code?: string }) | null, result: unknown) => {
            if (error === null) return resolve(result);
            onFailure(error);
            reject(error);
          });
        })
      : query(text, values, ...others);
  Object.assign(client, { query: ask });
}

/**
 * A cut cable sends no word, and a query on it would wait for a quarter of an hour: where one takes long, somebody
 * looks whether the server is there at all.
 */
function watchLent(pool: pg.Pool, look: () => Promise<void>): void {
  const lent = new Map<pg.PoolClient, NodeJS.Timeout>();
  const back = (client: pg.PoolClient) => {
    clearInterval(lent.get(client));
    lent.delete(client);
  };
  pool.on('acquire', (client) => {
    back(client);
    lent.set(client, setInterval(() => void look(), reachMs).unref());
  });
  pool.on('release', (_error, client) => back(client));
  pool.on('remove', back);
}

/** @returns whether a server is there, even one that has no room or no rights for us */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: reachMs,
    query_timeout: reachMs,
    application_name: 'portcullis',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    await client.end().catch(() => undefined);
  }
}
