export { twoFactorRoutes } from './routes.ts';
export { createSecondFactor, type SecondFactor } from './second-factor.ts';
export type { TwoFactorParts } from './setup.ts';
