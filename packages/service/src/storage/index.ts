export { containsText } from './contains-text.ts';
export { latencyColumns, type SumColumn, sequenceType, sumColumns } from './migrations/index.ts';
export type * from './schema.ts';
export { copyDatabase, holdsPortcullis, integrityProblems, settleDatabase } from './sqlite/file.ts';
export {
  type Db,
  openStorage,
  type Storage,
  type StorageOptions,
  sqliteFileName,
  type Trx,
} from './storage.ts';
export { type StorageErrorKind, storageErrorKind } from './storage-error.ts';
