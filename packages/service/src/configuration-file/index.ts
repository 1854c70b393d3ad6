export { exportText } from './export.ts';
export { configurationFileRoutes } from './routes.ts';
