import type { ExpressionBuilder, Selectable } from 'kysely';
import { z } from 'zod';
import type { Database, Db, NotificationsTable, Trx } from '../storage/index.ts';
import type { Channel } from './messages.ts';

export type StoredNotification = Selectable<NotificationsTable>;

const Lines = z.array(z.string());

/** @returns the text of a stored message, line by line */
export function linesOf(row: Pick<StoredNotification, 'lines'>): string[] {
  return Lines.parse(JSON.parse(row.lines));
}

/** A clock that was set back by more than this is noticed: what was made later was made while it was ahead. */
export const setBackMs = 60_000;

/** The newest message of a matter to a channel, whatever became of it; of a time to come only where there is no other. */
export async function newestOfTopic(
  db: Db | Trx,
  topic: string,
  channel: Channel,
  now: number,
): Promise<StoredNotification | undefined> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('topic', '=', topic)
    .where('channel', '=', channel)
    .orderBy((eb) =>
      eb
        .case()
        .when('time', '>', now + setBackMs)
        .then(1)
        .else(0)
        .end(),
    )
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertNotification(trx: Db | Trx, row: StoredNotification): Promise<void> {
  await trx.insertInto('notifications').values(row).execute();
}

/** Adds to a message that nobody tried to send yet. @returns false where it is on its way already, a summary's words too */
export async function appendToWaiting(
  trx: Trx,
  row: StoredNotification,
  lines: readonly string[],
): Promise<boolean> {
  const result = await trx
    .updateTable('notifications')
    .set({ lines: JSON.stringify(lines), occurrences: row.occurrences + 1 })
    .where('id', '=', row.id)
    .where('attempts', '=', 0)
    .where('summary_id', 'is', null)
    .where('occurrences', '=', row.occurrences)
    .where('status', 'in', ['held', 'retrying'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Takes out a message that is put off. @returns false where it was not, or was told of meanwhile */
export async function dropPutOff(trx: Trx, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('notifications')
    .where('id', '=', id)
    .where('attempts', '=', 0)
    .where('summary_id', 'is', null)
    .where('status', 'in', ['held', 'retrying'])
    .whereRef('next_at', '>', 'time')
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Longer than any attempt is put off: what lies so far ahead and no earlier than its message was not planned by this clock. */
const farAheadMs = 7 * 3_600_000;

/**
 * One that is put off, such as where its receiver asks for patience, is waited for so long. Of two summaries that were
 * made while a clock was set back, each can hold what is older: they wait no longer for each other.
 */
const longestTurnMs = 6 * 3_600_000;

/** Longer than an attempt and the first pauses after one: what is tried again within it is still in its turn. */
const soonMs = 15 * 60_000;

const ordered = ['site_down', 'site_up', 'system', 'system_over'] as const;

/** Whether nothing older of the same matter is to go first. */
function isItsTurn(eb: ExpressionBuilder<Database, 'notifications'>, now: number) {
  const { or, not, exists, selectFrom, ref } = eb;
  return or([
    eb('event', 'not in', [...ordered, 'summary']),
    not(
      exists(
        selectFrom('notifications as told')
          .innerJoin('notifications as older', (join) =>
            join
              .onRef('older.topic', '=', 'told.topic')
              .onRef('older.channel', '=', 'told.channel')
              .onRef('older.time', '<', 'told.time'),
          )
          .leftJoin('notifications as summary', 'summary.id', 'older.summary_id')
          .select('older.id')
          .where((told) =>
            told.or([
              told('told.id', '=', ref('notifications.id')),
              told('told.summary_id', '=', ref('notifications.id')),
            ]),
          )
          .where('told.event', 'in', ordered)
          .where('older.status', 'in', ['retrying', 'held'])
          .where((older) =>
            older.or([
              older(ref('notifications.next_at'), '>', now - longestTurnMs),
              // After a night without a network both are long due, and the order still counts.
              older.and([
                older(ref('notifications.event'), '!=', 'summary'),
                older(older.fn.coalesce('summary.next_at', 'older.next_at'), '<=', now + soonMs),
              ]),
            ]),
          )
          .where((older) =>
            older.or([
              older('older.summary_id', 'is', null),
              older.and([
                older('older.summary_id', '!=', ref('notifications.id')),
                // What a summary was left with that is settled itself will never be sent.
                older('summary.status', '=', 'retrying'),
              ]),
            ]),
          ),
      ),
    ),
  ]);
}

/**
 * Messages of a channel whose attempt is due, the oldest first. What was planned by a clock that was far ahead is due,
 * until it is planned anew. Who hears that a site is up before that it is down takes
 * it for down: of one site, as of one alert, the older goes first; one that is put off is waited for six hours at most.
 * That counts for a summary too, which tells of what it holds, and for what a summary of before still holds.
 */
export async function dueNotifications(
  db: Db,
  channel: Channel,
  now: number,
  limit: number,
): Promise<StoredNotification[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('status', '=', 'retrying')
    .where('channel', '=', channel)
    .where(({ or, and, eb, ref }) =>
      or([
        eb('next_at', '<=', now),
        and([eb('time', '>', now + farAheadMs), eb('next_at', '>=', ref('time'))]),
      ]),
    )
    .where((eb) => isItsTurn(eb, now))
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/**
 * Takes an attempt for this process: counts it, and puts the next one off for as long as this one may take, so that
 * a process that dies in the middle loses nothing.
 * @returns false where another process took it
 */
export async function claim(db: Db, row: StoredNotification, until: number): Promise<boolean> {
  const result = await db
    .updateTable('notifications')
    .set({ next_at: until, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .where('status', '=', 'retrying')
    .where('attempts', '=', row.attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What an attempt came to. A summary that was sent takes those along that it told of. */
export async function settle(
  db: Db,
  id: string,
  outcome: {
    readonly status: 'sent' | 'retrying' | 'failed';
    readonly nextAt: number | null;
    readonly error: string | null;
  },
): Promise<void> {
  const { status, nextAt, error } = outcome;
  // In one statement: a process that dies in between would leave them held for ever.
  await db
    .updateTable('notifications')
    .set({ status, next_at: nextAt, error })
    .where(({ or, and, eb }) =>
      or([
        eb('id', '=', id),
        ...(status === 'retrying' ? [] : [and([eb('summary_id', '=', id), eb('status', '=', 'held')])]),
      ]),
    )
    .execute();
}

/** Held messages to a channel that no summary told of yet and that are not put off, the oldest first. */
export async function heldFor(trx: Db | Trx, channel: Channel, now: number): Promise<StoredNotification[]> {
  return trx
    .selectFrom('notifications')
    .selectAll()
    .where('status', '=', 'held')
    .where('channel', '=', channel)
    .where('summary_id', 'is', null)
    .where(({ or, eb }) => or([eb('next_at', 'is', null), eb('next_at', '<=', now)]))
    .orderBy('time')
    .orderBy('id')
    .execute();
}

/** @param ids messages that the summary tells of. @returns how many were not taken by another summary */
export async function assignSummary(trx: Trx, ids: readonly string[], summaryId: string): Promise<number> {
  const result = await trx
    .updateTable('notifications')
    .set({ summary_id: summaryId })
    .where('id', 'in', [...ids])
    .where('summary_id', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The outcome log, newest first. */
export async function newestNotifications(db: Db, limit: number): Promise<StoredNotification[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** How long the outcome log goes back. */
export const keptMs = 90 * 86_400_000;

/** Forgets what was settled before a time, and what older releases left held by a summary that was. */
export async function forgetSettled(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('time', '<', before)
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        eb('status', 'in', ['sent', 'failed']),
        and([
          eb('status', '=', 'held'),
          eb('summary_id', 'is not', null),
          not(
            exists(
              selectFrom('notifications as summary')
                .select('summary.id')
                .whereRef('summary.id', '=', 'notifications.summary_id')
                .where('summary.status', 'not in', ['sent', 'failed']),
            ),
          ),
        ]),
      ]),
    )
    .execute();
}
