import type { LoginRequest } from '@portcullis/contract/auth';
import type { User } from '@portcullis/contract/users';
import type { AuditLog } from '../audit/index.ts';
import { type Failure, failure, type Outcome, success } from '../outcome.ts';
import { verifyPassword } from '../passwords/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import { findUserByEmail, presentUser, type StoredUser, updateUserAsChecked } from '../users/index.ts';
import { openSession, type SessionOrigin } from './sessions.ts';
import { countFailure, forgive, lockedSeconds, rememberAddress } from './throttle.ts';
import type { TokenSigner } from './tokens.ts';
import type { Turnstile } from './turnstile.ts';
import { countUnknown } from './unknown-accounts.ts';

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
  /** lets the codes of an account through one by one, from however many addresses they come */
  readonly codeTurnstile: Turnstile;
}

export type LoginResult = { readonly requires_totp: true } | { readonly token: string; readonly user: User };

/**
 * Opens a session and signs its token.
 * @param user the account as its password and code were checked
 * @returns undefined where password, 2FA or account were changed since
 */
export async function signIn(
  parts: Pick<LoginParts, 'storage' | 'signer' | 'now'>,
  user: StoredUser,
  origin: SessionOrigin,
): Promise<{ token: string; user: User } | undefined> {
  const now = parts.now();
  const settings = await readSettings(parts.storage.read, 'security');
  const session = await parts.storage.transaction(async (trx) => {
    if (!(await updateUserAsChecked(trx, user, { last_login_at: now }))) return undefined;
    await forgive(trx, user.email, origin.ip, user.totp_secret === null ? 'password' : 'code');
    await rememberAddress(trx, user.email, origin.ip, now);
    return openSession(trx, user, origin, settings, now);
  });
  if (!session) return undefined;
  const token = await parts.signer.sign({ userId: user.id, sessionId: session.id }, session.expiresAt);
  const mustSetUpTotp = settings.require2FA && user.totp_secret === null;
  const restricted = mustSetUpTotp ? { permissions: [], totp_setup_required: true } : {};
  return { token, user: { ...presentUser({ ...user, last_login_at: now }), ...restricted } };
}

interface Attempt {
  readonly email: string;
  readonly origin: SessionOrigin;
  readonly user: StoredUser | undefined;
}

/** Why an attempt failed; an unknown account and a wrong password are one, for nobody may learn which exists. */
async function refuse(
  parts: LoginParts,
  attempt: Attempt,
  code: 'invalid_credentials' | 'invalid_totp_code',
): Promise<Failure> {
  const { storage, audit, now } = parts;
  const { ip } = attempt.origin;
  const settings = await readSettings(storage.read, 'security');
  const asked = code === 'invalid_totp_code' ? 'code' : 'password';
  const locked = await countFailure(storage, attempt.email, ip, settings, now(), asked);
  const { user } = attempt;
  if (!user) {
    await storage.transaction((trx) => countUnknown(trx, ip, locked));
    return failure(code);
  }
  const what = code === 'invalid_totp_code' ? 'wrong 2FA code' : 'wrong email or password';
  await audit.write({
    action: locked ? 'auth.locked' : 'auth.login_failed',
    level: 'warning',
    message: `Sign-in failed for ${user.email}: ${what}${locked ? '; further attempts are refused for a while' : ''}`,
    actor: user.email,
    ip,
    target: user.id,
  });
  return failure(code);
}

/** @returns why the code does not do; 'right' where it does, and is used up */
async function refuseCode(
  parts: LoginParts,
  attempt: Attempt,
  user: StoredUser,
  code: string,
): Promise<Failure | 'right'> {
  const { email, origin } = attempt;
  const seconds = await lockedSeconds(parts.storage.db, email, origin.ip, parts.now(), 'code');
  if (seconds > 0) return failure('account_locked', { retryAfterSeconds: seconds });
  if (await parts.secondFactor.verify(user, code)) return 'right';
  return refuse(parts, attempt, 'invalid_totp_code');
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
    if (!totpCode) return success({ requires_totp: true });
    const refused = await parts.codeTurnstile.pass(user.id, () => refuseCode(parts, attempt, user, totpCode));
    if (refused === undefined) return failure('too_many_requests', { retryAfterSeconds: 5 });
    if (refused !== 'right') return refused;
  }
  const session = await signIn(parts, user, origin);
  if (!session) return refuse(parts, attempt, 'invalid_credentials');
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
