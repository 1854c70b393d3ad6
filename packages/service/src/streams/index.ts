export { LogHub } from './log-hub.ts';
export { ReaderGroup } from './reader-group.ts';
export { streamRoutes } from './routes.ts';
