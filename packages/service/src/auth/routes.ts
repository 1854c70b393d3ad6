import { endpoints } from '@portcullis/contract/api';
import { streamTimings } from '@portcullis/contract/streams';
import type { FastifyInstance } from 'fastify';
import { callerNetwork, serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import { findUser, presentUser } from '../users/index.ts';
import { type LoginParts, login, signIn } from './login.ts';
import { endSession } from './sessions.ts';
import { completeSetup, setupRequired } from './setup.ts';
import { issueTicket } from './tickets.ts';
import { Turnstile } from './turnstile.ts';

export interface AuthParts extends Omit<LoginParts, 'codeTurnstile'> {
  /** told that sessions ended, so that their streams close */
  sessionsEnded(): void;
}

function setupRoutes(app: FastifyInstance, parts: AuthParts, turnstile: Turnstile): void {
  const { storage, audit, now } = parts;

  serve(app, endpoints.auth.setupStatus, async () =>
    success({ required: await setupRequired(storage.read, now()) }),
  );

  serve(app, endpoints.auth.setup, async ({ body, ip, userAgent }) => {
    const done = await turnstile.pass(callerNetwork(ip), () => completeSetup(storage, body, now()));
    if (!done) return failure('too_many_requests', { retryAfterSeconds: 5 });
    if (!done.ok) return done;
    const user = done.value;
    parts.sessionsEnded();
    await audit.write({
      action: 'auth.setup',
      level: 'warning',
      message: `${user.email} became an administrator by a setup link`,
      actor: user.email,
      ip,
      target: user.id,
    });
    const session = await signIn(parts, user, { ip, userAgent });
    return session ? success(session) : failure('invalid_credentials');
  });
}

/** Setup, sign-in, sign-out, who is signed in, and stream tickets. */
export function authRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { storage, audit, now } = parts;
  const turnstile = new Turnstile();
  const signInParts = { ...parts, codeTurnstile: new Turnstile() };
  setupRoutes(app, parts, turnstile);

  serve(app, endpoints.auth.login, async ({ body, ip, userAgent }) => {
    const outcome = await turnstile.pass(callerNetwork(ip), () =>
      login(signInParts, body, { ip, userAgent }),
    );
    return outcome ?? failure('too_many_requests', { retryAfterSeconds: 5 });
  });

  serve(app, endpoints.auth.logout, async ({ actor, ip }) => {
    // An API token has no session that could end; it is revoked.
    if (actor.sessionId === undefined) return success(undefined);
    await endSession(storage.db, actor.sessionId);
    parts.sessionsEnded();
    const message = `${actor.email} signed out`;
    await audit.write({ action: 'auth.logout', level: 'info', message, actor: actor.email, ip });
    return success(undefined);
  });

  serve(app, endpoints.auth.me, async ({ actor }) => {
    const user = await findUser(storage.read, actor.userId);
    if (!user) return failure('session_expired');
    const restricted = actor.mustSetUpTotp ? { permissions: [], totp_setup_required: true } : {};
    return success({ user: { ...presentUser(user), ...restricted } });
  });

  serve(app, endpoints.auth.streamTicket, async ({ actor }) => {
    // A caller without a session, such as an API token, streams with its own header instead.
    if (actor.sessionId === undefined) return failure('forbidden');
    const ticket = await issueTicket(storage, actor.sessionId, now());
    if (ticket === undefined) return failure('session_expired');
    return success({ ticket, expiresInSeconds: streamTimings.ticketSeconds });
  });
}
