export { fleetRoutes } from './routes.ts';
export { createFleetWatch, type FleetWatch, type ServiceIdentity } from './watch.ts';
