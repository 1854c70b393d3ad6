export * from './judge.ts';
