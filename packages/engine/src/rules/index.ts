export * from './ir.ts';
