export { type AuthenticationParts, actorOf, authenticate, authenticateStream } from './authenticate.ts';
export type { LoginParts, SecondFactor } from './login.ts';
export { authRoutes } from './routes.ts';
export { endSession, endSessionsOf, sweepSessions } from './sessions.ts';
export { completeSetup, issueSetupToken } from './setup.ts';
export { sweepAttempts } from './throttle.ts';
export { loadTokenSigner, type TokenSigner } from './tokens.ts';
