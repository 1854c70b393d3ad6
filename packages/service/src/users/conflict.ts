import type { AdminActionCode } from '@portcullis/contract/events';
import { newestRecords } from '../audit/index.ts';
import { conflictOf } from '../configuration/index.ts';
import type { Failure } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import type { StoredUser } from './repository.ts';

/** Entries that are looked through for what changed. */
const looksBack = 20;

/** Who changes what an account is leaves one of these; others of an account, such as of sign-ins, are many. */
const changing: readonly AdminActionCode[] = ['user.update', 'auth.profile_changed', 'auth.password_changed'];

/** What an audit entry keeps of a change to an account. */
type Details = Readonly<Record<string, unknown>> | null;

/** The version that a change of an account makes: two within a millisecond are two. */
export const nextUserVersion = (before: StoredUser, now: number) => Math.max(now, before.updated_at + 1);

/**
 * Refuses a change that was made on a stale version of an account, and says who changed what since.
 * @param sent the version that the client changed; absent: the client does not mind
 */
export async function refuseStaleUser(
  trx: Trx,
  user: StoredUser,
  sent: number | undefined,
): Promise<Failure | undefined> {
  if (sent === undefined || sent === user.updated_at) return undefined;
  const records = await newestRecords(trx, { limit: looksBack, target: user.id, actions: changing });
  const since = records.flatMap(({ actor, time, details }) => {
    const { version, ...changed } = (details as Details) ?? {};
    const isLater = typeof version === 'number' && version > sent;
    return isLater ? [{ who: actor, when: new Date(time).toISOString(), fields: Object.keys(changed) }] : [];
  });
  return conflictOf({ version: user.updated_at, updatedAt: user.updated_at }, since);
}
