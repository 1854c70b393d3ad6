export * from './audit.ts';
export * from './event.ts';
export * from './search.ts';
export * from './typed-text.ts';
