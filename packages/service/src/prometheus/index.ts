export { prometheusRoutes } from './routes.ts';
