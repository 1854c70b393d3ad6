export { authEndpoints } from './auth.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export { eventEndpoints } from './events.ts';
export { fleetEndpoints } from './fleet.ts';
export { monitoringEndpoints } from './monitoring.ts';
export { siteEndpoints } from './sites.ts';
export * from './table.ts';
export { userEndpoints } from './users.ts';
