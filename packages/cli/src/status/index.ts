export { type Look, lookAtFleet } from './look.ts';
export { fleetLines } from './print.ts';
