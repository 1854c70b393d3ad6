export * from './exchange.ts';
export * from './head.ts';
export * from './respond.ts';
