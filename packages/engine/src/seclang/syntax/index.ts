export * from './actions.ts';
export * from './directives.ts';
export * from './operator.ts';
export * from './targets.ts';
