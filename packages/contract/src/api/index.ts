export * from './endpoint.ts';
export * from './errors.ts';
export * from './table.ts';
