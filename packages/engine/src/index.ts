export * from './inspect/index.ts';
export * from './rules/index.ts';
export * from './vocabulary.ts';
