import type { AuditLog } from '../audit/index.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { type Caller, endSessionsOf, findUser, refuseHigher, type StoredUser } from '../users/index.ts';
import { disableTotp } from './repository.ts';

export interface ResetParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  /** told that sessions ended, so that their streams close */
  sessionsEnded(): void;
}

/**
 * Turns 2FA off for another user who lost authenticator and backup codes, and ends their sessions: whoever holds one
 * signs in anew. The own 2FA is turned off in the profile, which asks for password and code.
 */
export async function resetTwoFactor(
  { storage, audit, sessionsEnded }: ResetParts,
  { actor, ip }: Caller,
  userId: string,
): Promise<Outcome<StoredUser>> {
  const outcome = await storage.transaction(async (trx) => {
    const user = await findUser(trx, userId);
    if (!user) return failure('not_found');
    if (user.id === actor.userId) {
      return failure('conflict', { message: 'Turn your own 2FA off in your profile' });
    }
    const higher = refuseHigher(actor, user.role);
    if (higher) return higher;
    if (user.totp_secret === null) return failure('totp_not_enabled');
    if (!(await disableTotp(trx, user))) return failure('conflict');
    const sessions = await endSessionsOf(trx, user.id);
    const record = await audit.append(trx, {
      action: 'user.totp_reset',
      level: 'warning',
      message: `Turned 2FA off for ${user.email}`,
      actor: actor.email,
      ip,
      target: user.id,
      details: { endedSessions: sessions },
    });
    return success({ record, user: { ...user, totp_secret: null } });
  });
  if (!outcome.ok) return outcome;
  audit.announce(outcome.value.record);
  sessionsEnded();
  return success(outcome.value.user);
}
