import type { LoginRequest } from '@portcullis/contract/auth';
import type { User } from '@portcullis/contract/users';
import type { AuditLog } from '../audit/index.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { verifyPassword } from '../passwords/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import { findUserByEmail, presentUser, type StoredUser } from '../users/index.ts';
import { openSession, type SessionOrigin } from './sessions.ts';
import { countFailure, forgive, lockedSeconds, rememberAddress } from './throttle.ts';
import type { TokenSigner } from './tokens.ts';

/** Checks the second step of accounts that have one. */
export interface SecondFactor {
  /** Uses the code up. @returns false for a wrong, old or used code */
  verify(user: StoredUser, code: string): Promise<boolean>;
}

export interface LoginParts {
  readonly storage: Storage;
  readonly signer: TokenSigner;
  readonly audit: AuditLog;
  readonly now: () => number;
  readonly secondFactor: SecondFactor;
}

export type LoginResult = { readonly requires_totp: true } | { readonly token: string; readonly user: User };

/** Opens a session and signs its token. */
export async function signIn(
  parts: Pick<LoginParts, 'storage' | 'signer' | 'now'>,
  user: StoredUser,
  origin: SessionOrigin,
): Promise<{ token: string; user: User }> {
  const now = parts.now();
  const settings = await readSettings(parts.storage.read, 'security');
  const session = await parts.storage.transaction(async (trx) => {
    await trx.updateTable('users').set({ last_login_at: now }).where('id', '=', user.id).execute();
    await forgive(trx, user.email, origin.ip);
    await rememberAddress(trx, user.email, origin.ip, now);
    return openSession(trx, user, origin, settings, now);
  });
  const token = await parts.signer.sign({ userId: user.id, sessionId: session.id }, session.expiresAt);
  const mustSetUpTotp = settings.require2FA && user.totp_secret === null;
  const restricted = mustSetUpTotp ? { permissions: [], totp_setup_required: true } : {};
  return { token, user: { ...presentUser({ ...user, last_login_at: now }), ...restricted } };
}

/** Why an attempt failed; an unknown account and a wrong password are one, for nobody may learn which exists. */
async function refuse(
  parts: LoginParts,
  attempt: { email: string; origin: SessionOrigin; user: StoredUser | undefined },
  code: 'invalid_credentials' | 'invalid_totp_code',
): Promise<Outcome<never>> {
  const { storage, audit, now } = parts;
  const { ip } = attempt.origin;
  const settings = await readSettings(storage.read, 'security');
  const asked = code === 'invalid_totp_code' ? 'code' : 'password';
  const locked = await countFailure(storage, attempt.email, ip, settings, now(), asked);
  const who = attempt.user?.email ?? 'an unknown account';
  const what = code === 'invalid_totp_code' ? 'wrong 2FA code' : 'wrong email or password';
  await audit.write({
    action: locked ? 'auth.locked' : 'auth.login_failed',
    level: 'warning',
    message: `Sign-in failed for ${who}: ${what}${locked ? '; further attempts are refused for a while' : ''}`,
    actor: attempt.user?.email ?? 'unknown',
    ip,
    target: attempt.user?.id,
  });
  return failure(code);
}

/**
 * Signs in by password and, where the account has it, a second step. The answer to a wrong password takes as long
 * whether or not the account exists.
 */
export async function login(
  parts: LoginParts,
  request: LoginRequest,
  origin: SessionOrigin,
): Promise<Outcome<LoginResult>> {
  const { storage, audit, now } = parts;
  const seconds = await lockedSeconds(storage.db, request.email, origin.ip, now());
  if (seconds > 0) return failure('account_locked', { retryAfterSeconds: seconds });
  const user = await findUserByEmail(storage.db, request.email);
  const attempt = { email: request.email, origin, user };
  const right = await verifyPassword(user?.password_hash, request.password);
  if (!right || !user || user.disabled !== 0) return refuse(parts, attempt, 'invalid_credentials');
  if (user.totp_secret !== null) {
    const { totpCode } = request;
    if (totpCode === undefined) return success({ requires_totp: true });
    const codesLocked = await lockedSeconds(storage.db, request.email, origin.ip, now(), 'code');
    if (codesLocked > 0) return failure('account_locked', { retryAfterSeconds: codesLocked });
    if (!(await parts.secondFactor.verify(user, totpCode)))
      return refuse(parts, attempt, 'invalid_totp_code');
  }
  const session = await signIn(parts, user, origin);
  await audit.write({
    action: 'auth.login',
    level: 'info',
    message: `${user.email} signed in`,
    actor: user.email,
    ip: origin.ip,
    target: user.id,
  });
  return success(session);
}
