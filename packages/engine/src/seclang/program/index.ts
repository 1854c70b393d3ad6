export * from './actions.ts';
export * from './effect.ts';
export * from './gate.ts';
export * from './read-effect.ts';
export * from './rule.ts';
export * from './targets.ts';
