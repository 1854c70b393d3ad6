export * from './seclang.ts';
