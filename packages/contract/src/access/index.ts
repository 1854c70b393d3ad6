export * from './address-list.ts';
export * from './ban.ts';
export * from './entries-text.ts';
export * from './metadata.ts';
export * from './network.ts';
export * from './parse-network.ts';
