import { endpoints } from '@portcullis/contract/api';
import { passwordPolicyOf } from '@portcullis/contract/auth';
import type { FastifyInstance } from 'fastify';
import { type Actor, serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import { readSettings } from '../settings/index.ts';
import { endSessionsOf, findUser } from '../users/index.ts';
import { presentProfile } from './present.ts';
import { changePassword, changeProfile, type ProfileParts } from './profile.ts';
import { endOwnSession, liveSessionsOf } from './sessions.ts';

const asked = ({ actor, ip }: { readonly actor: Actor; readonly ip: string }) => ({
  userId: actor.userId,
  email: actor.email,
  ip,
});

/** The own account: profile, password and sessions. */
export function profileRoutes(app: FastifyInstance, parts: ProfileParts): void {
  const calls = endpoints.auth;
  const { storage } = parts;

  serve(app, calls.profile, async ({ actor }) => {
    const user = await findUser(storage.read, actor.userId);
    return user ? success({ profile: presentProfile(user) }) : failure('session_expired');
  });

  serve(app, calls.updateProfile, async (call) => {
    const changed = await changeProfile(parts, asked(call), call.body);
    return changed.ok ? success({ profile: presentProfile(changed.value) }) : changed;
  });

  serve(app, calls.passwordPolicy, async () =>
    success(passwordPolicyOf(await readSettings(storage.read, 'security'))),
  );

  serve(app, calls.changePassword, async (call) =>
    changePassword(parts, asked(call), call.actor.sessionId, call.body),
  );

  sessionRoutes(app, parts);
}

function sessionRoutes(app: FastifyInstance, { storage, audit, now, sessionsEnded }: ProfileParts): void {
  const calls = endpoints.auth;
  const tell = (actor: Actor, ip: string, what: string) =>
    audit.write({
      action: 'auth.sessions_revoked',
      level: 'info',
      message: `${actor.email} ended ${what}`,
      actor: actor.email,
      ip,
      target: actor.userId,
    });

  serve(app, calls.sessions, async ({ actor }) => {
    const user = { id: actor.userId, current: actor.sessionId };
    return success(
      await liveSessionsOf(storage.read, user, await readSettings(storage.read, 'security'), now()),
    );
  });

  serve(app, calls.revokeSession, async ({ actor, params, ip }) => {
    if (!(await endOwnSession(storage.db, actor.userId, params.id))) return failure('not_found');
    sessionsEnded();
    await tell(actor, ip, 'one of the own sessions');
    return success(undefined);
  });

  serve(app, calls.revokeOtherSessions, async ({ actor, ip }) => {
    const ended = await endSessionsOf(storage.db, actor.userId, actor.sessionId);
    sessionsEnded();
    await tell(actor, ip, ended === 1 ? 'one other session' : `${ended} other sessions`);
    return success(undefined);
  });
}
