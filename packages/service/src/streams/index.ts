export { LogHub } from './log-hub.ts';
export { streamRoutes } from './routes.ts';
