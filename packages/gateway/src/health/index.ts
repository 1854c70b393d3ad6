export type { HealthPlan } from './checker.ts';
export { HealthWatch } from './watch.ts';
