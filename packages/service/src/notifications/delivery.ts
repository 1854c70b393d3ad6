import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { Log } from '../log.ts';
import type { Resolver } from '../outgoing/index.ts';
import type { Db } from '../storage/index.ts';
import type { Attempt, Notice } from './channel.ts';
import { dispatch } from './dispatch.ts';
import { type Channel, channels } from './messages.ts';
import { claim, dueNotifications, linesOf, type StoredNotification, settle } from './repository.ts';
import { recipientsOf } from './settings.ts';
import { subscribersTo } from './subscribers.ts';

/** Waits after the first, second, … failed attempt; together some three hours, then the message is given up. */
const backOffMs = [30_000, 120_000, 600_000, 1_800_000, 7_200_000] as const;

/** Longer than any attempt takes: after it, an attempt of a process that died is made again. */
const claimMs = 120_000;

/** Messages that a channel sends at once. */
const atOnce = 10;

/** A receiver may ask for patience, not for a year of it: an answer of a proxy in between can say anything. */
const longestWaitMs = 21_600_000;

/** @returns what a message comes to after an attempt. @param attempts how many were made, this one among them */
export function settlementOf(attempt: Attempt, attempts: number, now: number) {
  if (attempt.sent) return { status: 'sent', nextAt: null, error: null } as const;
  const waitMs = backOffMs[attempts - 1];
  const { reason: error, retryAfterSeconds = 0 } = attempt;
  if (!attempt.mayPass || waitMs === undefined) return { status: 'failed', nextAt: null, error } as const;
  const asked = Math.min(retryAfterSeconds * 1000, longestWaitMs);
  return { status: 'retrying', nextAt: now + Math.max(waitMs, asked), error } as const;
}

export interface DeliveryParts {
  readonly db: Db;
  readonly log: Log;
  readonly now: () => number;
  readonly resolver?: Resolver | undefined;
  /** for one attempt; absent: what suits its kind */
  readonly limitMs?: number | undefined;
  /** with their secrets */
  readonly settings: NotificationSettings;
  readonly systemName: string;
  /** where the console is reached from outside, where that is known */
  readonly publicUrl?: string | undefined;
}

/** A stored message as it is sent. */
export function noticeOf(
  row: StoredNotification,
  { systemName, publicUrl }: Pick<DeliveryParts, 'systemName' | 'publicUrl'>,
): Notice {
  const link = publicUrl !== undefined && row.path !== null ? new URL(row.path, publicUrl).href : undefined;
  const { id, event, level, time, site_id, site_name } = row;
  const lines = linesOf(row);
  const said = [...lines, ...(link === undefined ? [] : [link])];
  return {
    ...{ id, event, level, time, systemName, lines, title: row.subject },
    ...(site_id !== null && { site: { id: site_id, name: site_name ?? site_id } }),
    ...(link !== undefined && { link }),
    subject: `[${systemName}] ${row.subject}`,
    text: `${said.join('\n')}\n\n${systemName}, ${new Date(time).toISOString()}`,
  };
}

/** Mail goes to the address of the settings and to users who asked for it; a report to those alone. */
async function addressed(
  { db, settings }: DeliveryParts,
  row: StoredNotification,
): Promise<NotificationSettings> {
  if (row.channel !== 'email') return settings;
  const configured = row.event === 'weekly_report' ? [] : recipientsOf(settings.email.address);
  const known = new Set(configured.map((address) => address.toLowerCase()));
  const personal = (await subscribersTo(db, row.event)).filter((address) => !known.has(address));
  const address = [...configured, ...personal].join(', ');
  return { ...settings, email: { ...settings.email, address } };
}

async function deliver(parts: DeliveryParts, row: StoredNotification): Promise<void> {
  const { db, log, now } = parts;
  if (!(await claim(db, row, now() + claimMs))) return;
  const notice = noticeOf(row, parts);
  const attempt = await dispatch(await addressed(parts, row), row.channel as Channel, notice, parts);
  const settlement = settlementOf(attempt, row.attempts + 1, now());
  await settle(db, row.id, settlement);
  if (settlement.status === 'failed') {
    log.warn('A notification could not be delivered', { channel: row.channel, reason: settlement.error });
  }
}

/**
 * Sends what is due, each channel by itself and a few messages of it at once: a receiver that hangs keeps only those
 * places, and for as long as an attempt may take.
 */
export class Deliveries {
  readonly #taken = new Map<Channel, number>();
  readonly #underWay = new Set<Promise<void>>();

  /** Sends all that is due and has a place. Resolves when it is through with those. */
  async send(parts: DeliveryParts): Promise<void> {
    const sending = Promise.all(channels.map((channel) => this.#sendBy(channel, parts))).then(() => {});
    this.#underWay.add(sending);
    await sending.finally(() => this.#underWay.delete(sending));
  }

  /** Resolves once nothing is under way. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #sendBy(channel: Channel, parts: DeliveryParts): Promise<void> {
    const free = atOnce - (this.#taken.get(channel) ?? 0);
    if (free <= 0) return;
    // Taken before the first wait, for the next turn comes while this one looks.
    this.#take(channel, free);
    let rows: StoredNotification[] = [];
    try {
      rows = await dueNotifications(parts.db, channel, parts.now(), free);
    } finally {
      this.#take(channel, rows.length - free);
    }
    await Promise.all(rows.map((row) => deliver(parts, row).finally(() => this.#take(channel, -1))));
  }

  #take(channel: Channel, places: number): void {
    this.#taken.set(channel, (this.#taken.get(channel) ?? 0) + places);
  }
}
