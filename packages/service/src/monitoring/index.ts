export type { FigureParts } from './figures.ts';
export { monitoringRoutes } from './routes.ts';
