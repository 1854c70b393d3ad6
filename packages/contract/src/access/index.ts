export * from './address-list.ts';
export * from './network.ts';
export * from './parse-network.ts';
