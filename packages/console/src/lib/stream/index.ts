export * from './event-stream.ts';
