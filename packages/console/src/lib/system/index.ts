export * from './use-system-stream.ts';
export * from './use-visible.ts';
