export { type Look, lookAtFleet } from './look.ts';
export { fleetLines } from './print.ts';
export { isWell } from './wellness.ts';
