export * from './audit.ts';
export * from './event.ts';
export * from './search.ts';
