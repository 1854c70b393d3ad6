import type { AdminActionCode } from '@portcullis/contract/events';
import type { UserCreate, UserUpdate } from '@portcullis/contract/users';
import type { z } from 'zod';
import type { AuditLog } from '../audit/index.ts';
import type { Actor } from '../http/index.ts';
import { type Failure, failure, type Outcome, success } from '../outcome.ts';
import { hashPassword, refuseWeakPassword } from '../passwords/index.ts';
import { readSettings } from '../settings/index.ts';
import { type Storage, storageErrorKind, type Trx } from '../storage/index.ts';
import { nextUserVersion, refuseStaleUser } from './conflict.ts';
import {
  countOtherAdmins,
  deleteUser,
  endSessionsOf,
  findUser,
  insertUser,
  revokeTokensOf,
  type StoredUser,
  type UserChanges,
  updateUser,
} from './repository.ts';
import {
  auditedChanges,
  endsSessions,
  refuseDeletion,
  refuseHigher,
  refuseOwnSignIn,
  removesAdmin,
} from './users.ts';

export interface UserParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  /** the clock, Unix milliseconds */
  readonly now: () => number;
  /** told that sessions may have ended, so that their streams close */
  sessionsEnded(): void;
}

/** Who asks for a change, and from where. */
export interface Caller {
  readonly actor: Actor;
  readonly ip: string;
}

/** A refusal found within a transaction, thrown to roll it back and caught by {@link changing}. */
class Refused extends Error {
  readonly failure: Failure;

  constructor(refused: Failure) {
    super(refused.code);
    this.failure = refused;
  }
}

/** Runs a change as one transaction with its audit entry. A taken email is a refusal, not an error. */
async function changing<T>(
  { storage, audit, sessionsEnded }: UserParts,
  caller: Caller,
  work: (
    trx: Trx,
  ) => Promise<{ value: T; action: AdminActionCode; message: string; target: string; details?: unknown }>,
): Promise<Outcome<T>> {
  try {
    const { value, record } = await storage.transaction(async (trx) => {
      const { value, ...done } = await work(trx);
      const action = { ...done, level: 'info' as const, actor: caller.actor.email, ip: caller.ip };
      return { value, record: await audit.append(trx, action) };
    });
    audit.announce(record);
    sessionsEnded();
    return success(value);
  } catch (error) {
    if (error instanceof Refused) return error.failure;
    if (storageErrorKind(error) === 'unique') {
      const issues = [{ path: 'email', message: 'Another user already has this email' }];
      return failure('email_taken', { issues });
    }
    throw error;
  }
}

async function passwordHashFor(parts: UserParts, password: string): Promise<Outcome<string>> {
  const security = await readSettings(parts.storage.read, 'security');
  const refused = refuseWeakPassword(security, password, 'password');
  return refused ?? success(await hashPassword(password));
}

/** Adds a user, whose password must meet the stored policy. */
export async function createUser(
  parts: UserParts,
  caller: Caller,
  request: z.output<typeof UserCreate>,
): Promise<Outcome<StoredUser>> {
  const { email, role } = request;
  const higher = refuseHigher(caller.actor, role);
  if (higher) return higher;
  const hash = await passwordHashFor(parts, request.password);
  if (!hash.ok) return hash;
  return changing(parts, caller, async (trx) => {
    const row = await insertUser(trx, { email, role, passwordHash: hash.value }, parts.now());
    const message = `Created user ${email} (${role})`;
    return { value: row, action: 'user.create', message, target: row.id, details: { email, role } };
  });
}

/** Changes what the request names; a blank password keeps the present one. The own sign-in is the profile's. */
export async function changeUser(
  parts: UserParts,
  caller: Caller,
  id: string,
  request: z.output<typeof UserUpdate>,
): Promise<Outcome<StoredUser>> {
  // Hashed before the transaction: the one writer must not wait for argon2.
  const hash = request.password ? await passwordHashFor(parts, request.password) : undefined;
  if (hash && !hash.ok) return hash;
  return changing(parts, caller, async (trx) => {
    const otherAdmins = await countOtherAdmins(trx, id);
    const before = await findUser(trx, id);
    if (!before) throw new Refused(failure('not_found'));
    const higher = refuseHigher(caller.actor, before.role, request.role ?? before.role);
    if (higher) throw new Refused(higher);
    const own = refuseOwnSignIn(before, caller.actor.userId, request);
    if (own) throw new Refused(own);
    if (removesAdmin(before, request) && otherAdmins === 0) throw new Refused(failure('last_admin'));
    const stale = await refuseStaleUser(trx, before, request.version);
    if (stale) throw new Refused(stale);
    const version = nextUserVersion(before, parts.now());
    const changes: UserChanges = {
      ...(request.email !== undefined && { email: request.email }),
      ...(request.role !== undefined && { role: request.role }),
      ...(request.disabled !== undefined && { disabled: request.disabled ? 1 : 0 }),
      ...(hash && { password_hash: hash.value }),
      updated_at: version,
    };
    await updateUser(trx, id, changes);
    if (endsSessions(before, request)) await endSessionsOf(trx, id);
    // A new password answers a lost account: its tokens may be in the wrong hands too.
    if (hash) await revokeTokensOf(trx, id);
    const value = { ...before, ...changes } as StoredUser;
    const details = { ...auditedChanges(before, request), version };
    return { value, action: 'user.update', message: `Changed user ${value.email}`, target: id, details };
  });
}

/** Deletes a user and all that is theirs; never the caller, never the last administrator. */
export async function removeUser(parts: UserParts, caller: Caller, id: string): Promise<Outcome<undefined>> {
  return changing(parts, caller, async (trx) => {
    const otherAdmins = await countOtherAdmins(trx, id);
    const target = await findUser(trx, id);
    if (!target) throw new Refused(failure('not_found'));
    const refused =
      refuseHigher(caller.actor, target.role) ?? refuseDeletion(target, caller.actor.userId, otherAdmins);
    if (refused) throw new Refused(refused);
    await endSessionsOf(trx, id);
    await deleteUser(trx, id);
    const details = { email: target.email, role: target.role };
    const message = `Deleted user ${target.email}`;
    return { value: undefined, action: 'user.delete', message, target: id, details };
  });
}
