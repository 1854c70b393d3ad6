export * from './audit.ts';
export * from './event.ts';
