export { apiReferenceRoutes } from './routes.ts';
