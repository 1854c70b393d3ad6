export * from './rules.ts';
export * from './rulesets.ts';
