import { streamTimings } from '@portcullis/contract/streams';
import { hashOfSecret, newSecret } from '../identity.ts';
import { type Storage, storageErrorKind } from '../storage/index.ts';

/** @returns a ticket that opens one stream of this session within a minute; undefined where the session ended just now */
export async function issueTicket(
  storage: Storage,
  sessionId: string,
  now: number,
): Promise<string | undefined> {
  const ticket = newSecret();
  const expires_at = now + streamTimings.ticketSeconds * 1000;
  try {
    await storage.db
      .insertInto('stream_tickets')
      .values({ hash: hashOfSecret(ticket), session_id: sessionId, expires_at })
      .execute();
  } catch (error) {
    if (storageErrorKind(error) === 'foreign_key') return undefined;
    throw error;
  }
  return ticket;
}

/** Uses a ticket up. @returns the session and user it stands for; undefined when unknown, used or too old */
export async function redeemTicket(
  storage: Storage,
  ticket: string,
  now: number,
): Promise<{ sessionId: string; userId: string } | undefined> {
  const row = await storage.db
    .deleteFrom('stream_tickets')
    .where('hash', '=', hashOfSecret(ticket))
    .returning(['session_id', 'expires_at'])
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return undefined;
  const session = await storage.db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', row.session_id)
    .executeTakeFirst();
  return session && { sessionId: row.session_id, userId: session.user_id };
}
