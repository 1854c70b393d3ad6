export * from './framing.ts';
export * from './listener.ts';
export * from './malformed.ts';
