export { type Bans, createBans } from './bans.ts';
export { forgetBans, insertBans } from './repository.ts';
export { banRoutes } from './routes.ts';
