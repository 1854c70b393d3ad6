export * from './operator.ts';
export * from './registry.ts';
