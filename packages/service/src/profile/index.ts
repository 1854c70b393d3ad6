export type { ProfileParts } from './profile.ts';
export { profileRoutes } from './routes.ts';
