import { setTimeout } from 'node:timers/promises';
import type { AttackTally } from '@portcullis/contract/link';
import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { AdminRecord } from '../audit/index.ts';
import type { Log } from '../log.ts';
import type { Resolver } from '../outgoing/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import type { StandingAlert } from './alert-watch.ts';
import { Deliveries, type DeliveryParts } from './delivery.ts';
import { type Channel, channels, type Message } from './messages.ts';
import { channelsOf, enqueue, summarize } from './outbox.ts';
import { isQuiet } from './quiet-hours.ts';
import { heldFor } from './repository.ts';
import { withSecrets } from './settings.ts';
import { readNotificationSettings } from './settings-repository.ts';
import { messageOfAction, type Sights, Triggers } from './triggers.ts';
import { dueReport } from './weekly-report.ts';

export interface NotificationParts extends Sights {
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly log: Log;
  /** another service looks and sends while this is false */
  readonly duty: { readonly held: boolean };
  /** absent: the system's */
  readonly resolver?: Resolver | undefined;
  /** where the console is reached from outside, where that is known */
  readonly publicUrl?: string | undefined;
}

/** Tells people what happens, by the stored settings. */
export interface Notifications {
  start(): void;
  stop(): Promise<void>;
  /** told of every attack that was stored, wherever */
  onAttacks(attacks: readonly AttackTally[]): void;
  /** told of all alerts that last, with each look at them */
  onAlerts(alerts: readonly StandingAlert[]): void;
  /** told of every admin action; resolves once its message, if any, is stored */
  onAction(record: AdminRecord): Promise<void>;
  /** Looks at sites, load and attacks, and sends what is due. Every few seconds by itself. */
  tick(): Promise<void>;
}

const tickMs = 5000;
const stopMs = 2000;

/** More alerts than these that begin or end at once, as where a network is cut, share a message. */
const fewAlerts = 5;
const isOfAlert = ({ event }: Message) => event === 'system' || event === 'system_over';

type Parts = NotificationParts;

const readAll = async ({ storage, sealer }: Parts) =>
  withSecrets(await readNotificationSettings(storage.read, sealer));

const readGeneral = ({ storage }: Parts) => readSettings(storage.read, 'general');

/** Stores a message for every channel that is turned on. @param held whether it is to be summed up with others */
const tell = (parts: Parts, message: Message, settings: NotificationSettings, held = false) =>
  tellBy(parts, message, channelsOf(settings), settings, held);

async function tellBy(
  parts: Parts,
  message: Message,
  by: readonly Channel[],
  settings: NotificationSettings,
  held: boolean,
): Promise<void> {
  const { timezone } = await readGeneral(parts);
  const now = parts.now();
  const when = { now, held: held || isQuiet(settings.quietHours, timezone, now) };
  for (const channel of by) {
    await parts.storage.transaction((trx) => enqueue(trx, message, channel, when));
  }
}

/** Sums up what was held while there were quiet hours, or because it is much at once. */
async function sumUpHeld({ storage, now }: Parts, timezone: string): Promise<void> {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });
  for (const channel of channels) {
    // Mostly there is nothing: the writer is not to be troubled for that.
    if ((await heldFor(storage.read, channel, now())).length === 0) continue;
    await storage.transaction((trx) => summarize(trx, channel, now(), (time) => format.format(time)));
  }
}

/** @returns what to send by; undefined in the quiet hours */
async function look(parts: Parts, triggers: Triggers): Promise<DeliveryParts | undefined> {
  const { storage, log, now, resolver, publicUrl } = parts;
  const settings = await readAll(parts);
  // Without a channel nothing is looked at, so that what is bad when one is turned on counts as news.
  if (channelsOf(settings).length > 0) {
    const messages = triggers.look(settings.notifications);
    const isBurst = messages.filter(isOfAlert).length > fewAlerts;
    for (const message of messages) await tell(parts, message, settings, isBurst && isOfAlert(message));
  } else triggers.rest();
  const { timezone, systemName } = await readGeneral(parts);
  const { read } = storage;
  const report = await dueReport({ read, settings, timezone, now: now(), siteName: parts.siteName });
  if (report) await tellBy(parts, report, ['email'], settings, false);
  // What waited for its next attempt when they began waits on, and is sent by itself after them.
  if (isQuiet(settings.quietHours, timezone, now())) return undefined;
  await sumUpHeld(parts, timezone);
  return { db: storage.db, log, now, resolver, settings, systemName, publicUrl };
}

/** @see Notifications */
export function createNotifications(parts: NotificationParts): Notifications {
  const triggers = new Triggers(parts);
  let timer: NodeJS.Timeout | undefined;
  const deliveries = new Deliveries();
  let looking: Promise<DeliveryParts | undefined> | undefined;
  let telling: Promise<void> = Promise.resolve();
  const report = (error: unknown) => parts.log.error('Notifications failed', { reason: String(error) });

  const tellOf = async (record: AdminRecord) => {
    const settings = await readAll(parts);
    const message = messageOfAction(record, settings.notifications);
    if (message) await tell(parts, message, settings);
  };
  const tick = async () => {
    looking ??= look(parts, triggers).finally(() => {
      looking = undefined;
    });
    const ready = await looking;
    if (ready) await deliveries.send(ready);
  };
  return {
    tick,
    start() {
      timer = setInterval(() => {
        if (parts.duty.held) void tick().catch(report);
      }, tickMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await telling;
      // A receiver that hangs must not hold up the end: its message is tried again after the next start.
      const ended = Promise.allSettled([looking]).then(() => deliveries.settled());
      await Promise.race([ended, setTimeout(stopMs, undefined, { ref: false })]);
    },
    onAttacks: (attacks) => triggers.onAttacks(attacks),
    onAlerts: (alerts) => triggers.onAlerts(alerts),
    onAction(record) {
      // One after the other, or two changes in a moment would not find each other to share a message.
      telling = telling.then(() => tellOf(record)).catch(report);
      return telling;
    },
  };
}
