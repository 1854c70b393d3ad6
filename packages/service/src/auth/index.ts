export { type AuthenticationParts, actorOf, authenticate, authenticateStream } from './authenticate.ts';
export { keyRotationRoutes } from './key-rotation.ts';
export type { LoginParts, SecondFactor } from './login.ts';
export { authRoutes } from './routes.ts';
export { sweepSessions } from './sessions.ts';
export { issueSetupToken } from './setup.ts';
export { countFailure, forgive, lockedSeconds, sweepAttempts } from './throttle.ts';
export { loadTokenSigner, type TokenSigner } from './tokens.ts';
export { Turnstile } from './turnstile.ts';
