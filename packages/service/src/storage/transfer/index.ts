export {
  type CarriedTable,
  type CarryOptions,
  type CarryProgress,
  heldMoment,
  tablesToCarry,
} from './carry.ts';
export { type EmptyPostgres, isEmpty, openEmptyPostgres } from './into-postgres.ts';
export { planOf } from './plan.ts';
export { countRows, readRows } from './read-rows.ts';
export { storeAsFile } from './to-file.ts';
