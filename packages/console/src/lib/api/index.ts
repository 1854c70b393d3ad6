export * from './client.ts';
export * from './errors.ts';
export * from './query-client.ts';
export * from './tolerant.ts';
