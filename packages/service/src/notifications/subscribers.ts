import type { Permission } from '@portcullis/contract/auth';
import type { Db } from '../storage/index.ts';
import { permissionsOf, preferencesOf } from '../users/index.ts';
import type { NotificationEvent } from './messages.ts';

type Toggle = 'security_alerts' | 'system_updates' | 'weekly_reports';

/** By which of their preferences people ask for a message, and what they must be allowed to see for it. */
const asked: Readonly<Partial<Record<NotificationEvent, readonly [Toggle, Permission]>>> = {
  attacks: ['security_alerts', 'metrics:view'],
  site_down: ['security_alerts', 'metrics:view'],
  site_up: ['security_alerts', 'metrics:view'],
  high_load: ['security_alerts', 'metrics:view'],
  system: ['security_alerts', 'metrics:view'],
  system_over: ['security_alerts', 'metrics:view'],
  summary: ['security_alerts', 'metrics:view'],
  user_change: ['system_updates', 'user:view'],
  rule_change: ['system_updates', 'rule:view'],
  weekly_report: ['weekly_reports', 'metrics:view'],
};

/** @returns addresses of the users who asked for such messages to their own address and may see what it tells */
export async function subscribersTo(db: Db, event: string): Promise<string[]> {
  const [toggle, permission] = asked[event as NotificationEvent] ?? [];
  if (toggle === undefined || permission === undefined) return [];
  const rows = await db
    .selectFrom('users')
    .select(['email', 'role', 'preferences'])
    .where('disabled', '=', 0)
    .orderBy('email')
    .execute();
  return rows
    .filter(({ role, preferences }) => {
      const { notifications } = preferencesOf({ preferences });
      return notifications.email && notifications[toggle] && permissionsOf(role).includes(permission);
    })
    .map(({ email }) => email);
}
