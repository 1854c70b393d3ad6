export { attacksIn } from './attack-window.ts';
export { loadMeter } from './machine-load.ts';
export {
  createNotifications,
  type NotificationParts,
  type Notifications,
} from './notifications.ts';
export { forgetSettled, keptMs } from './repository.ts';
export { type NotificationRouteParts, notificationRoutes } from './routes.ts';
export { changeSettings, movesKey, presentSettings } from './settings.ts';
export { readNotificationSettings, writeNotificationSettings } from './settings-repository.ts';
export type { SiteState } from './site-watch.ts';
