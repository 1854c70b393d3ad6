export * from './files.ts';
export * from './load.ts';
