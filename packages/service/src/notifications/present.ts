import type { NotificationOutcome } from '@portcullis/contract/notifications';
import { deliveryStatuses } from '@portcullis/contract/notifications';
import { z } from 'zod';
import { channels } from './messages.ts';
import type { StoredNotification } from './repository.ts';

const Status = z.enum(deliveryStatuses);
const ChannelName = z.enum(channels);

/** A message as the outcome log shows it. */
export function presentOutcome(row: StoredNotification): NotificationOutcome {
  const times = row.occurrences > 1 ? ` (${row.occurrences} times)` : '';
  return {
    id: row.id,
    timestamp: new Date(row.time).toISOString(),
    event: row.event,
    channel: ChannelName.parse(row.channel),
    subject: row.subject + times,
    status: Status.parse(row.status),
    attempts: row.attempts,
    ...(row.error !== null && { error: row.error }),
  };
}
