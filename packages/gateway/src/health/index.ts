export type { HealthPlan } from './checker.ts';
export { type HealthChange, HealthWatch, healthKeyOf } from './watch.ts';
