export * from './inspect.ts';
export type { RunInput } from './run.ts';
export * from './verdict.ts';
