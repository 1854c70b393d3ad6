export { createDuty, type Duty, isOnDuty } from './duty.ts';
