export * from './framing.ts';
export * from './in-turn.ts';
export { notLate } from './late.ts';
export * from './listener.ts';
export * from './malformed.ts';
export * from './part.ts';
