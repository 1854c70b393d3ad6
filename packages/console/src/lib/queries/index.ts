export * from './events.ts';
export * from './sites.ts';
export * from './traffic.ts';
