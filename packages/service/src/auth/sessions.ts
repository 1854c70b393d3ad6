import type { SecuritySettings } from '@portcullis/contract/settings';
import { newId } from '../identity.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';
import type { StoredUser } from '../users/index.ts';

/** However much it is used, a session ends after this, and its owner signs in again. */
const absoluteMs = 12 * 3600 * 1000;

/** How far the clocks of two services may be apart. What was opened later than that was opened while a clock was wrong. */
const maxAheadMs = 5 * 60_000;

/** Written at most this often, so that a console that polls does not write with each call. */
const touchEveryMs = 30_000;

/** Where a session was opened from. */
export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

export interface OpenedSession {
  readonly id: string;
  readonly userId: string;
  /** Unix milliseconds */
  readonly expiresAt: number;
}

/** Opens a session for a user who proved who they are. */
export async function openSession(
  trx: Trx,
  user: StoredUser,
  origin: SessionOrigin,
  settings: SecuritySettings,
  now: number,
): Promise<OpenedSession> {
  const id = newId('ses');
  const expiresAt = now + Math.max(absoluteMs, settings.sessionTimeout * 1000);
  await trx
    .insertInto('sessions')
    .values({
      id,
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      ip: origin.ip,
      user_agent: origin.userAgent,
    })
    .execute();
  return { id, userId: user.id, expiresAt };
}

/** A session that is still good, with the account that holds it. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  /** whether the account has 2FA */
  readonly hasTotp: boolean;
}

/**
 * @param idleSeconds `sessionTimeout` of the security settings: how long a session lasts without a call
 * @returns undefined once the session was ended, ran out, or its user was disabled or deleted
 */
export async function findLiveSession(
  storage: Pick<Storage, 'read' | 'aside'>,
  sessionId: string,
  userId: string,
  idleSeconds: number,
  now: number,
): Promise<LiveSession | undefined> {
  const row = await storage.read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'users.totp_secret',
      'users.email',
      'users.role',
      'users.disabled',
    ])
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (row?.disabled !== 0) return undefined;
  // It would else be good until the clock had caught up, be that a year.
  if (row.created_at > now + maxAheadMs) return undefined;
  if (row.expires_at <= now || row.last_seen_at + idleSeconds * 1000 <= now) return undefined;
  if (row.last_seen_at + touchEveryMs <= now) {
    await storage.aside((db) =>
      db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute(),
    );
  }
  return { sessionId, userId, email: row.email, role: row.role, hasTotp: row.totp_secret !== null };
}

/** Ends one session. */
export async function endSession(db: Db | Trx, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Removes what ran out, sessions and tickets. */
export async function sweepSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await db.deleteFrom('stream_tickets').where('expires_at', '<=', now).execute();
}
