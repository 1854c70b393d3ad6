import { z } from 'zod';
import { patchOf } from '../patch/index.ts';
import { settingsVersion } from '../settings/index.ts';

const on = z.boolean().default(true);
const off = z.boolean().default(false);
const hour = z.number().int().min(0).max(23);

export const mailTransports = ['smtp', 'api'] as const;
export const smtpSecurities = ['starttls', 'tls', 'none'] as const;

const secret = (maxLength: number, flag: string) =>
  z
    .string()
    .max(maxLength)
    .describe(`blank in answers, \`${flag}\` says whether there is one; sent blank it keeps the stored one`)
    .default('');
const isSet = z.boolean().describe('whether one is stored; sent as false it deletes it').optional();

/** Channel settings. A secret that is stored reads back as an empty string with its `…Set` flag on. */
export const NotificationSettings = z.object({
  email: z
    .object({
      enabled: off,
      address: z.string().max(254).default(''),
      /** the mail provider's API key, or the SMTP password */
      key: secret(1024, 'keySet'),
      keySet: isSet,
      /** `smtp` sends through a mail server, `api` posts to a mail provider */
      transport: z.enum(mailTransports).default('smtp'),
      smtpHost: z.string().max(253).default(''),
      smtpPort: z.number().int().min(1).max(65_535).default(587),
      /** `starttls` upgrades a plain connection, `tls` is encrypted from the first byte */
      smtpSecurity: z.enum(smtpSecurities).default('starttls'),
      smtpUsername: z.string().max(254).default(''),
      /** where the provider takes messages, such as `https://api.sendgrid.com/v3/mail/send` */
      apiUrl: z.string().max(2048).default(''),
      senderEmail: z.string().max(254).default(''),
      senderName: z.string().max(120).default(''),
    })
    .prefault({}),
  slack: z
    .object({
      enabled: off,
      webhookUrl: secret(2048, 'webhookUrlSet'),
      webhookUrlSet: isSet,
      channel: z.string().max(120).default('#security-alerts'),
      username: z.string().max(120).default(''),
    })
    .prefault({}),
  /** a POST of JSON to a server of the operator's choice */
  webhook: z
    .object({
      enabled: off,
      webhookUrl: secret(2048, 'webhookUrlSet'),
      webhookUrlSet: isSet,
      /** signs each call with HMAC-SHA256; without one calls are not signed */
      signingKey: secret(256, 'signingKeySet'),
      signingKeySet: isSet,
    })
    .prefault({}),
  notifications: z
    .object({
      notifyOnAttacks: on,
      notifyOnSiteDown: on,
      notifyOnHighLoad: on,
      /** alerts of Monitoring other than those of sites and load, as they begin and end */
      notifyOnSystem: on,
      notifyOnUserChanges: off,
      notifyOnRuleChanges: on,
      /** attacks a minute */
      attackThreshold: z.number().int().min(1).max(100).default(10),
      /** percent */
      loadThreshold: z.number().int().min(50).max(100).default(85),
    })
    .prefault({}),
  quietHours: z.object({ enabled: off, startHour: hour.default(22), endHour: hour.default(8) }).prefault({}),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** The settings as a call answers them. */
export const NotificationSettingsAnswer = NotificationSettings.extend({ version: settingsVersion });
export type NotificationSettingsAnswer = z.infer<typeof NotificationSettingsAnswer>;

/**
 * A change of the settings: fields that are left out keep their value, and so does a secret that is empty. A stale
 * `version` is refused.
 */
export const NotificationSettingsUpdate = patchOf(NotificationSettingsAnswer);
export type NotificationSettingsUpdate = z.infer<typeof NotificationSettingsUpdate>;

export const notificationChannels = ['email', 'slack', 'webhook'] as const;

/** How grave what a message tells of is; `ok`: something is over. */
export const notificationLevels = ['critical', 'warning', 'info', 'ok'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/** What became of a message: `held` waits for the end of the quiet hours, `retrying` for its next attempt. */
export const deliveryStatuses = ['sent', 'held', 'retrying', 'failed'] as const;

/** One message to one channel, as the outcome log shows it. */
export const NotificationOutcome = z.object({
  id: z.string(),
  timestamp: z.string(),
  /** what it told of: `attacks`, `site_down`, `site_up`, `high_load`, `system`, `system_over`, `user_change`, `rule_change`, `summary`, `weekly_report`, `test` */
  event: z.string(),
  channel: z.enum(notificationChannels),
  subject: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int().min(0).default(0),
  /** why it was not delivered */
  error: z.string().optional(),
});
export type NotificationOutcome = z.infer<typeof NotificationOutcome>;

export const NotificationOutcomeQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** `attack` goes by email, `sitedown` to Slack, `webhook` to the webhook. */
export const notificationTests = ['attack', 'sitedown', 'webhook'] as const;
export const NotificationTest = z.object({ type: z.enum(notificationTests) });
export type NotificationTest = z.infer<typeof NotificationTest>;
export const ServerMessage = z.object({ message: z.string() });
