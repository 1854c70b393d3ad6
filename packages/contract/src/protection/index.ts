export * from './built-in.ts';
export * from './rule-test.ts';
export * from './rules.ts';
export * from './rulesets.ts';
