import type { AdminActionCode } from '@portcullis/contract/events';
import { z } from 'zod';
import type { AuditLog } from '../audit/index.ts';
import type { Asked, Confirmation } from '../confirmation/index.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { verifyPassword } from '../passwords/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import { findUser, type StoredUser } from '../users/index.ts';
import { hashBackupCodes, newBackupCodes } from './backup-codes.ts';
import { disableTotp, enableTotp, replaceBackupHashes, storePending } from './repository.ts';
import { type SecondFactor, seedPurpose } from './second-factor.ts';
import { acceptedStep, newSeed, seedUri } from './totp.ts';

export interface TwoFactorParts {
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly audit: AuditLog;
  readonly secondFactor: SecondFactor;
  readonly confirmation: Confirmation;
  readonly now: () => number;
}

/** Long enough to find the phone; a setup that was left lying must not be finished by someone else. */
const setupLifetimeMs = 15 * 60_000;

const Pending = z.object({ seed: z.string(), codes: z.array(z.string()), startedAt: z.number() });
const pendingPurpose = (userId: string) => `totp-setup:${userId}`;

export interface StartedSetup {
  readonly uri: string;
  readonly secret: string;
  readonly backupCodes: string[];
}

/** Writes what happened to the account's second step into the audit log. */
async function record(
  parts: TwoFactorParts,
  asked: Asked,
  action: AdminActionCode,
  what: string,
): Promise<void> {
  await parts.audit.write({
    action,
    level: 'info',
    message: `${asked.email} ${what}`,
    actor: asked.email,
    ip: asked.ip,
    target: asked.userId,
  });
}

/** @param password asked for where the flow sends one; undefined where it does not */
export async function startSetup(
  parts: TwoFactorParts,
  asked: Asked,
  password: string | undefined,
): Promise<Outcome<StartedSetup>> {
  const { storage, sealer, confirmation, now } = parts;
  const user = await findUser(storage.db, asked.userId);
  if (!user) return failure('session_expired');
  if (password !== undefined) {
    const check = () => verifyPassword(user.password_hash, password);
    const refused = await confirmation.ask(asked, 'wrong_password', check);
    if (refused) return refused;
  }
  if (user.totp_secret !== null) return failure('totp_already_enabled');
  const pending = { seed: newSeed(), codes: newBackupCodes(), startedAt: now() };
  await storePending(storage.db, user.id, sealer.seal(JSON.stringify(pending), pendingPurpose(user.id)));
  const { systemName } = await readSettings(storage.read, 'general');
  const uri = seedUri(pending.seed, user.email, systemName);
  return success({ uri, secret: pending.seed, backupCodes: pending.codes });
}

function openPending({ sealer, now }: TwoFactorParts, user: StoredUser) {
  const text = sealer.open(user.totp_pending ?? '', pendingPurpose(user.id));
  if (text === undefined) return undefined;
  const pending = Pending.parse(JSON.parse(text));
  return pending.startedAt + setupLifetimeMs > now() ? pending : undefined;
}

/**
 * Turns 2FA on with the first code.
 * @param request `secret` where the flow sends it back: it must be the one that was handed out
 * @returns the backup codes, which are stored only as hashes from here on
 */
export async function finishSetup(
  parts: TwoFactorParts,
  asked: Asked,
  request: { readonly code: string; readonly secret?: string | undefined },
): Promise<Outcome<string[]>> {
  const { storage, sealer, now } = parts;
  const user = await findUser(storage.db, asked.userId);
  if (!user) return failure('session_expired');
  if (user.totp_secret !== null) return failure('totp_already_enabled');
  const pending = openPending(parts, user);
  const pendingText = user.totp_pending;
  if (!pending || pendingText === null) return failure('totp_not_started');
  if (request.secret !== undefined && request.secret !== pending.seed) return failure('totp_not_started');
  const step = acceptedStep(pending.seed, request.code, now(), null);
  if (step === undefined) return failure('wrong_code');
  const hashes = await hashBackupCodes(pending.codes);
  const sealedSeed = sealer.seal(pending.seed, seedPurpose(user.id));
  const enabled = await storage.transaction((trx) =>
    enableTotp(trx, user.id, pendingText, { sealedSeed, step, hashes }),
  );
  if (!enabled) return failure('totp_not_started');
  await record(parts, asked, 'auth.totp_enabled', 'turned 2FA on');
  return success(pending.codes);
}

/** The account of who asks, once password (where given) and code were right. */
async function confirmed(
  parts: TwoFactorParts,
  asked: Asked,
  given: { readonly password?: string | undefined; readonly code: string },
): Promise<Outcome<StoredUser>> {
  const { storage, confirmation, secondFactor } = parts;
  const user = await findUser(storage.db, asked.userId);
  if (!user) return failure('session_expired');
  if (user.totp_secret === null) return failure('totp_not_enabled');
  const { password, code } = given;
  if (password !== undefined) {
    const check = () => verifyPassword(user.password_hash, password);
    const refused = await confirmation.ask(asked, 'wrong_password', check);
    if (refused) return refused;
  }
  const check = async () => {
    // Without the password only the authenticator counts: a found list of backup codes must not turn 2FA off.
    if (password === undefined && !/^\d{6}$/.test(code)) return false;
    return secondFactor.verify(user, code);
  };
  const refused = await confirmation.ask(asked, 'wrong_code', check);
  return refused ?? success(user);
}

/** Turns 2FA off with a code, and the password where the flow sends one; not while it is required of everybody. */
export async function endTwoFactor(
  parts: TwoFactorParts,
  asked: Asked,
  given: { readonly password?: string | undefined; readonly code: string },
): Promise<Outcome<undefined>> {
  const { require2FA } = await readSettings(parts.storage.read, 'security');
  if (require2FA) {
    const message =
      '2FA is required for all users, so it stays on. For another device, have an administrator reset it';
    return failure('conflict', { message });
  }
  const user = await confirmed(parts, asked, given);
  if (!user.ok) return user;
  const ended = await parts.storage.transaction((trx) => disableTotp(trx, user.value));
  if (!ended) return failure('conflict');
  await record(parts, asked, 'auth.totp_disabled', 'turned 2FA off');
  return success(undefined);
}

/** Replaces the backup codes, used or not. @returns the new ones, shown this once */
export async function renewBackupCodes(
  parts: TwoFactorParts,
  asked: Asked,
  given: { readonly password: string; readonly code: string },
): Promise<Outcome<string[]>> {
  const user = await confirmed(parts, asked, given);
  if (!user.ok) return user;
  const codes = newBackupCodes();
  const hashes = await hashBackupCodes(codes);
  // Read again: a backup code that confirmed this was used up just now.
  const present = await findUser(parts.storage.db, asked.userId);
  const same = present?.totp_secret === user.value.totp_secret ? present : undefined;
  if (!same || !(await replaceBackupHashes(parts.storage.db, same, hashes))) return failure('conflict');
  await record(parts, asked, 'auth.backup_codes_renewed', 'replaced the backup codes');
  return success(codes);
}
