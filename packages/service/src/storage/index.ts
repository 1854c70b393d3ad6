export type { Db, Storage, Trx } from './connect.ts';
export { containsText } from './contains-text.ts';
export {
  type ClassColumn,
  classColumns,
  classKey,
  classOf,
  classSeparator,
  createDayTable,
  dayTableName,
  indexDayTable,
} from './day-tables.ts';
export { latencyColumns, migrations, type SumColumn, sumColumns } from './migrations/index.ts';
export { explainOpenFailure, explainRestoreFailure } from './open-failure.ts';
export type * from './schema.ts';
export { sumFits, sumUp } from './sqlite/checksum.ts';
export {
  copyDatabase,
  holdsPortcullis,
  integrityProblems,
  settleDatabase,
  unmark,
} from './sqlite/file.ts';
export { openStorage, restoringFolder, type StorageOptions, sqliteFileName } from './storage.ts';
export { type StorageErrorKind, storageErrorKind, UnsettledError } from './storage-error.ts';
export {
  type CarriedTable,
  type CarryOptions,
  type CarryProgress,
  countRows,
  type EmptyPostgres,
  heldMoment,
  openEmptyPostgres,
  planOf,
  readRows,
  storeAsFile,
  tablesToCarry,
} from './transfer/index.ts';
