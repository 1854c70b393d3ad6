import { accessEndpoints } from './access.ts';
import { authEndpoints } from './auth.ts';
import { certificateEndpoints } from './certificates.ts';
import { configurationEndpoints } from './configuration.ts';
import { eventEndpoints } from './events.ts';
import { fleetEndpoints } from './fleet.ts';
import { monitoringEndpoints } from './monitoring.ts';
import { notificationEndpoints } from './notifications.ts';
import { protectionEndpoints } from './protection.ts';
import { settingsEndpoints } from './settings.ts';
import { siteEndpoints } from './sites.ts';
import { userEndpoints } from './users.ts';

/** Every call of the public API, by noun. */
export const endpoints = {
  auth: authEndpoints,
  sites: siteEndpoints,
  certificates: certificateEndpoints,
  access: accessEndpoints,
  protection: protectionEndpoints,
  events: eventEndpoints,
  users: userEndpoints,
  monitoring: monitoringEndpoints,
  fleet: fleetEndpoints,
  settings: settingsEndpoints,
  configuration: configurationEndpoints,
  notifications: notificationEndpoints,
} as const;
