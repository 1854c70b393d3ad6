export * from './evaluate/index.ts';
export * from './load/index.ts';
export {
  createKeptCollections,
  type InspectedResponse,
  type KeptCollections,
  type TransactionContext,
} from './state/index.ts';
export type { SeclangIssue } from './syntax/index.ts';
