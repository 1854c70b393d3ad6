export * from './cors.ts';
