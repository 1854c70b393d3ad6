export * from './framing.ts';
export * from './in-turn.ts';
export { endLate } from './last-moment.ts';
export { notLate } from './late.ts';
export * from './listener.ts';
export * from './malformed.ts';
export * from './part.ts';
export * from './proxied-connections.ts';
export * from './proxy-protocol.ts';
