export * from './forward.ts';
export * from './group.ts';
export { UpstreamClient } from './interim.ts';
export * from './lookup.ts';
export { Names } from './names.ts';
export { settled, wait } from './patience.ts';
export type { UpstreamFailure } from './relay.ts';
export * from './upgrade.ts';
export * from './upstream.ts';
