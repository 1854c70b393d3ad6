/** What went wrong in the database, in the terms that callers can act on. */
export type StorageErrorKind =
  | 'unique'
  | 'foreign_key'
  | 'busy'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'unreachable'
  /** what was to be written is at fault, and would be the next time */
  | 'data'
  | 'other';

/** A transaction whose connection broke at its commit: it may stand, or not. */
export class UnsettledError extends Error {
  constructor(cause: unknown) {
    super(`The commit was not answered: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'UnsettledError';
  }
}

/** A failed statement of either dialect. */
export class StorageError extends Error {
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.kind = kind;
  }
}

/** Primary SQLite result codes, the low byte of the extended code. @see sqlite.org/rescode.html */
const sqliteKinds: Readonly<Record<number, StorageErrorKind>> = {
  1: 'data',
  5: 'busy',
  6: 'busy',
  // No memory, or the lock's protocol failed: both pass.
  7: 'busy',
  8: 'read_only',
  10: 'unreachable',
  11: 'corrupt',
  13: 'full',
  14: 'unreachable',
  15: 'busy',
  18: 'data',
  19: 'data',
  20: 'data',
  21: 'data',
  25: 'data',
  26: 'corrupt',
};

/** @param extended SQLite's extended result code */
export function kindOfSqliteCode(extended: number): StorageErrorKind {
  // 2067 UNIQUE, 1555 PRIMARY KEY, 787 FOREIGN KEY, all kinds of constraint 19.
  if (extended === 2067 || extended === 1555) return 'unique';
  if (extended === 787) return 'foreign_key';
  return sqliteKinds[extended & 0xff] ?? 'other';
}

/** @param state SQLSTATE of PostgreSQL, or a socket error's code. @see PostgreSQL appendix A */
export function kindOfPostgresCode(state: string | undefined): StorageErrorKind {
  if (state === undefined) return 'other';
  if (state === '23505') return 'unique';
  if (state === '23503') return 'foreign_key';
  // 57014: it waited for a lock, or worked, for longer than a statement may.
  if (/^(40001|40P01|55P03|57014)$/.test(state)) return 'busy';
  if (state === '53100') return 'full';
  if (state === '25006') return 'read_only';
  // 22…: a value that it cannot hold; 23…: one that breaks a rule of the table; 54…: more than a statement may have.
  if (/^(2[123]|54)/.test(state)) return 'data';
  // Its own faults, damaged pages among them. A batch that met one is not to be given up for it.
  if (state.startsWith('XX')) return 'corrupt';
  // 25P03: it ended a transaction that stood idle, as of a process that was held still. 53…: no memory or no connection
  // left; 57P…: shutting down; 58…: its files failed it. All of it passes.
  if (/^(08|25P03|53|57P|58)/.test(state) || /^E[A-Z]+$/.test(state)) return 'unreachable';
  return 'other';
}

/** What `pg` throws without a code where a connection breaks under a query or none can be had. */
const brokenConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/;

/** @returns how the database refused, whichever dialect threw; undefined for errors that are not storage's */
export function storageErrorKind(error: unknown): StorageErrorKind | undefined {
  if (error instanceof StorageError) return error.kind;
  if (error instanceof UnsettledError) return 'unreachable';
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined && brokenConnection.test(error.message)) return 'unreachable';
  const fromPostgres = 'severity' in error || /^(E[A-Z]+|\d\d[0-9A-Z]{3})$/.test(code ?? '');
  return fromPostgres ? kindOfPostgresCode(code) : undefined;
}
