import { z } from 'zod';

const on = z.boolean().default(true);
const off = z.boolean().default(false);
const hour = z.number().int().min(0).max(23);

/** Channel settings. A secret that is stored reads back as an empty string with its `…Set` flag on. */
export const NotificationSettings = z.object({
  email: z
    .object({
      enabled: off,
      address: z.string().max(254).default(''),
      key: z.string().max(1024).default(''),
      keySet: z.boolean().optional(),
      senderEmail: z.string().max(254).default(''),
      senderName: z.string().max(120).default(''),
    })
    .prefault({}),
  slack: z
    .object({
      enabled: off,
      webhookUrl: z.string().max(2048).default(''),
      webhookUrlSet: z.boolean().optional(),
      channel: z.string().max(120).default('#security-alerts'),
      username: z.string().max(120).default(''),
    })
    .prefault({}),
  notifications: z
    .object({
      notifyOnAttacks: on,
      notifyOnSiteDown: on,
      notifyOnHighLoad: on,
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

export const NotificationTest = z.object({ type: z.enum(['attack', 'sitedown']) });
export const ServerMessage = z.object({ message: z.string() });
