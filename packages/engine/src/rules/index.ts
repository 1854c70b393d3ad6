export * from './custom.ts';
export * from './ir.ts';
