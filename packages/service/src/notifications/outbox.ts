import type { NotificationSettings } from '@portcullis/contract/notifications';
import { newId } from '../identity.ts';
import type { Trx } from '../storage/index.ts';
import { type Channel, type Message, oneLine, summaryMessage } from './messages.ts';
import {
  appendToWaiting,
  assignSummary,
  dropPutOff,
  heldFor,
  insertNotification,
  linesOf,
  newestOfTopic,
  type StoredNotification,
  setBackMs,
} from './repository.ts';

/** Changes come in bursts: what follows within this time joins the first one's message. */
const gatherMs = 20_000;

/** How long after a message the same matter is not told again; of an alert that came back, not unless it lasts. */
const silenceMs = { attacks: 10 * 60_000, high_load: 15 * 60_000, system: 15 * 60_000 } as const;

const maxLines = 50;

/** @returns the channels that are turned on */
export function channelsOf(settings: NotificationSettings): Channel[] {
  return [
    ...(settings.email.enabled ? ['email' as const] : []),
    ...(settings.slack.enabled ? ['slack' as const] : []),
    ...(settings.webhook.enabled ? ['webhook' as const] : []),
  ];
}

/** The row of a new message. @param heldNow whether it waits for the end of the quiet hours */
export function rowOf(
  message: Message,
  channel: Channel,
  now: number,
  place: { readonly status: 'held' | 'retrying'; readonly nextAt: number | null },
): StoredNotification {
  return {
    id: newId('ntf'),
    time: now,
    event: message.event,
    channel,
    topic: message.topic,
    level: message.level,
    site_id: message.site?.id ?? null,
    site_name: message.site ? oneLine(message.site.name) : null,
    path: message.path,
    subject: oneLine(message.subject),
    lines: JSON.stringify(message.lines.map(oneLine)),
    occurrences: 1,
    status: place.status,
    attempts: 0,
    next_at: place.nextAt,
    summary_id: null,
    error: null,
  };
}

const isGathered = (message: Message) => message.event === 'user_change' || message.event === 'rule_change';

/** What was told while the clock was ahead is no reason to be silent until it has caught up. */
const isToCome = ({ time }: StoredNotification, now: number) => time > now + setBackMs;

/** Whether the newest message of the matter makes this one a repetition. */
export function isRepetition(message: Message, newest: StoredNotification | undefined, now: number): boolean {
  const { event } = message;
  // A site is told to be down once, and up again only after it was told to be down.
  if (event === 'site_down') return newest?.event === 'site_down';
  if (event === 'site_up') return newest?.event !== 'site_down';
  // An alert likewise, and again where it became another one of the same matter.
  if (event === 'system') return newest?.event === 'system' && newest.subject === oneLine(message.subject);
  if (event === 'system_over') return newest?.event !== 'system';
  if (event !== 'attacks' && event !== 'high_load') return false;
  return newest !== undefined && newest.time > now - silenceMs[event] && !isToCome(newest, now);
}

/** @returns until when an alert that came back soon is put off, lest one that comes and goes is told each time */
function putOffUntil(message: Message, newest: StoredNotification | undefined, now: number): number {
  const cameBack = message.event === 'system' && newest?.event === 'system_over' && !isToCome(newest, now);
  return cameBack ? Math.max(now, newest.time + silenceMs.system) : now;
}

/**
 * Puts a message into the outbox of one channel, unless it repeats what was told. What is still waiting takes the
 * message of the same matter in instead of standing beside it; an alert that is over while it is put off was never told.
 * @param when held: it waits for a summary
 * @returns whether anything was stored
 */
export async function enqueue(
  trx: Trx,
  message: Message,
  channel: Channel,
  when: { readonly now: number; readonly held: boolean },
): Promise<boolean> {
  const newest = await newestOfTopic(trx, message.topic, channel, when.now);
  if (isRepetition(message, newest, when.now)) return false;
  if (newest && message.event === 'system_over' && (await dropPutOff(trx, newest.id))) return false;
  if (newest && newest.event === message.event && message.event !== 'system' && !isToCome(newest, when.now)) {
    const lines = [...linesOf(newest), ...message.lines.map(oneLine)].slice(0, maxLines);
    if (await appendToWaiting(trx, newest, lines)) return true;
  }
  const after = putOffUntil(message, newest, when.now);
  const place = when.held
    ? { status: 'held' as const, nextAt: after > when.now ? after : null }
    : { status: 'retrying' as const, nextAt: isGathered(message) ? when.now + gatherMs : after };
  await insertNotification(trx, rowOf(message, channel, when.now, place));
  return true;
}

/** Once the quiet hours are over, or a burst was held: one summary for all that a channel was not told. */
export async function summarize(
  trx: Trx,
  channel: Channel,
  now: number,
  clockOf: (time: number) => string,
): Promise<void> {
  const held = await heldFor(trx, channel, now);
  if (held.length === 0) return;
  const place = { status: 'retrying' as const, nextAt: now };
  const row = rowOf(summaryMessage(held, now, clockOf), channel, now, place);
  const ids = held.map(({ id }) => id);
  // Another process that sums up at the same time takes none, and writes nothing.
  if ((await assignSummary(trx, ids, row.id)) === 0) return;
  await insertNotification(trx, row);
}
