import type { Session } from '@portcullis/contract/auth';
import type { SecuritySettings } from '@portcullis/contract/settings';
import type { Db } from '../storage/index.ts';
import { deviceOf } from './device.ts';

/** The sessions of a user that still go on, the last used first. @param current id of the caller's own */
export async function liveSessionsOf(
  db: Db,
  user: { readonly id: string; readonly current: string | undefined },
  settings: SecuritySettings,
  now: number,
): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - settings.sessionTimeout * 1000)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: deviceOf(row.user_agent),
    ip: row.ip,
    created_at: new Date(row.created_at).toISOString(),
    last_seen: new Date(row.last_seen_at).toISOString(),
    current: row.id === user.current,
  }));
}

/** Ends a session of this user alone. @returns false where the user has no such session */
export async function endOwnSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
