import { NotificationSettings } from '@portcullis/contract/notifications';
import { Email } from '@portcullis/contract/users';
import type { Bounds } from '../../components/number-field.tsx';
import { boundsOf, numberProblem } from '../../components/number-field.tsx';
import type { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';

const words = messages.settings.notifications;

/** The form that all parts of the notifications tab write into. */
export type NotificationsForm = ReturnType<typeof usePageForm<NotificationSettings>>['form'];

const defaults = NotificationSettings.shape;

/** The bounds of both thresholds and the port, as the contract sets them. */
export const notificationBounds: Record<'attackThreshold' | 'loadThreshold' | 'smtpPort', Bounds> = {
  attackThreshold: boundsOf(defaults.notifications.unwrap().shape.attackThreshold),
  loadThreshold: boundsOf(defaults.notifications.unwrap().shape.loadThreshold),
  smtpPort: boundsOf(defaults.email.unwrap().shape.smtpPort),
};

/** What is wrong with the notification settings, by dotted field path. Hidden fields are not judged. */
export function notificationProblems(values: NotificationSettings): Record<string, string> {
  const { notifications: events } = values;
  const found: Record<string, string | undefined> = {
    ...emailProblems(values.email),
    'slack.webhookUrl': webhookProblem(values.slack.webhookUrl),
    'webhook.webhookUrl': webhookProblem(values.webhook.webhookUrl),
    'notifications.attackThreshold': events.notifyOnAttacks
      ? numberProblem(events.attackThreshold, notificationBounds.attackThreshold)
      : undefined,
    'notifications.loadThreshold': events.notifyOnHighLoad
      ? numberProblem(events.loadThreshold, notificationBounds.loadThreshold)
      : undefined,
  };
  const problems: Record<string, string> = {};
  for (const [field, problem] of Object.entries(found)) if (problem) problems[field] = problem;
  return problems;
}

function emailProblems(email: NotificationSettings['email']): Record<string, string | undefined> {
  if (!email.enabled) return {};
  return {
    'email.address': addressProblem(email.address, words.addressRequired),
    'email.senderEmail': addressProblem(email.senderEmail, undefined),
    'email.smtpPort':
      email.transport === 'smtp' ? numberProblem(email.smtpPort, notificationBounds.smtpPort) : undefined,
  };
}

/** One address, or several separated by commas. */
function addressProblem(addresses: string, required: string | undefined): string | undefined {
  if (addresses.trim() === '') return required;
  const all = addresses.split(',').map((address) => address.trim());
  return all.every((address) => Email.safeParse(address).success) ? undefined : words.addressInvalid;
}

/** Slack's own are https; servers that speak its form in one's own network may have plain http, as the service allows. */
function webhookProblem(url: string): string | undefined {
  if (url === '') return undefined;
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  return protocol === 'https:' || protocol === 'http:' ? undefined : words.webhookInvalid;
}
