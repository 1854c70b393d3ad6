export * from './batch.ts';
export * from './ports.ts';
export * from './snapshot.ts';
