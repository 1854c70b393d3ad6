export * from './numbers.ts';
export * from './times.ts';
export * from './use-format.ts';
