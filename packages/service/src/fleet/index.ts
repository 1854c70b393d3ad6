export { type HeardFleet, readFleet } from './read-fleet.ts';
export { fleetRoutes } from './routes.ts';
export { createFleetWatch, type FleetWatch, type ServiceIdentity } from './watch.ts';
