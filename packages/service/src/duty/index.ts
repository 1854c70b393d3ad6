export { createDuty, type Duty } from './duty.ts';
