export type { HealthPlan } from './checker.ts';
export { type HealthChange, HealthWatch } from './watch.ts';
