export * from './figures.ts';
export * from './health.ts';
export * from './system.ts';
export * from './windows.ts';
