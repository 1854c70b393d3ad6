export * from './reader.ts';
export * from './registry.ts';
export { collectionNames } from './rule-state.ts';
