export { actorOfApiToken, tokenPrefix } from './api-tokens.ts';
export { type ApiTokenParts, apiTokenRoutes } from './routes.ts';
