import type { ChangePasswordRequest, ProfileUpdate } from '@portcullis/contract/auth';
import type { z } from 'zod';
import type { AuditLog } from '../audit/index.ts';
import type { Asked, Confirmation } from '../confirmation/index.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { hashPassword, refuseWeakPassword, verifyPassword } from '../passwords/index.ts';
import { readSettings } from '../settings/index.ts';
import { type Storage, storageErrorKind } from '../storage/index.ts';
import {
  endSessionsOf,
  findUser,
  nextUserVersion,
  type StoredUser,
  updateUser,
  updateUserAsChecked,
} from '../users/index.ts';

export interface ProfileParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  readonly confirmation: Confirmation;
  readonly now: () => number;
  /** told that sessions may have ended, so that their streams close */
  sessionsEnded(): void;
}

/** Changes the own display name, or with the password the own email. */
export async function changeProfile(
  parts: ProfileParts,
  asked: Asked,
  request: z.output<typeof ProfileUpdate>,
): Promise<Outcome<StoredUser>> {
  const { storage, audit, confirmation, now } = parts;
  const before = await findUser(storage.db, asked.userId);
  if (!before) return failure('session_expired');
  const email = request.email ?? before.email;
  if (email !== before.email) {
    // The email is half of the sign-in, so who merely found an open session must not move it.
    const check = () => verifyPassword(before.password_hash, request.currentPassword ?? '');
    const refused = await confirmation.ask(asked, 'wrong_password', check);
    if (refused) return refused;
  }
  // Only what is asked for, or a new name would bring back an email that someone else changes at this moment.
  const changes = {
    ...(email !== before.email && { email }),
    ...(request.displayName !== undefined && { display_name: request.displayName }),
    updated_at: nextUserVersion(before, now()),
  };
  const details = {
    ...(email !== before.email && { email: { from: before.email, to: email } }),
    ...(request.displayName !== undefined && { displayName: request.displayName }),
    version: changes.updated_at,
  };
  try {
    const record = await storage.transaction(async (trx) => {
      if (email === before.email) await updateUser(trx, before.id, changes);
      else if (!(await updateUserAsChecked(trx, before, changes))) return undefined;
      return audit.append(trx, {
        action: 'auth.profile_changed',
        level: 'info',
        message:
          email === before.email ? `${email} changed the own profile` : `${before.email} is now ${email}`,
        actor: before.email,
        ip: asked.ip,
        target: before.id,
        details,
      });
    });
    if (!record) return failure('wrong_password');
    audit.announce(record);
  } catch (error) {
    if (storageErrorKind(error) !== 'unique') throw error;
    return failure('email_taken', {
      issues: [{ path: 'email', message: 'Another user already has this email' }],
    });
  }
  return success({ ...before, ...changes });
}

/** Changes the own password and ends the other sessions. @param sessionId the one that goes on */
export async function changePassword(
  parts: ProfileParts,
  asked: Asked,
  sessionId: string | undefined,
  request: z.output<typeof ChangePasswordRequest>,
): Promise<Outcome<undefined>> {
  const { storage, audit, confirmation, now } = parts;
  const user = await findUser(storage.db, asked.userId);
  if (!user) return failure('session_expired');
  const check = () => verifyPassword(user.password_hash, request.currentPassword);
  const refused = await confirmation.ask(asked, 'wrong_password', check);
  if (refused) return refused;
  const security = await readSettings(storage.read, 'security');
  const weak = refuseWeakPassword(security, request.newPassword, 'newPassword');
  if (weak) return weak;
  const hash = await hashPassword(request.newPassword);
  const record = await storage.transaction(async (trx) => {
    // Else who knows the old password could undo the change that was made against them, at the same moment.
    const version = nextUserVersion(user, now());
    const changes = { password_hash: hash, updated_at: version };
    if (!(await updateUserAsChecked(trx, user, changes))) return undefined;
    await endSessionsOf(trx, user.id, sessionId);
    return audit.append(trx, {
      action: 'auth.password_changed',
      level: 'info',
      message: `${user.email} changed the own password`,
      actor: user.email,
      ip: asked.ip,
      target: user.id,
      details: { password: 'changed', version },
    });
  });
  if (!record) return failure('wrong_password');
  audit.announce(record);
  parts.sessionsEnded();
  return success(undefined);
}
