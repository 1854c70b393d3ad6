export * from './evaluate/index.ts';
export * from './load/index.ts';
export type { InspectedResponse, TransactionContext } from './state/index.ts';
export type { SeclangIssue } from './syntax/index.ts';
