export { inspectResponse, type Leak, leakRules } from './inspect-response.ts';
export type { LeakRule } from './rule.ts';
