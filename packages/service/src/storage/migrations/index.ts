import { first } from './001-first.ts';
import { accounts } from './010-accounts.ts';
import { configurationObjects } from './020-configuration-objects.ts';
import { notifications } from './021-notifications.ts';
import { alerts } from './030-alerts.ts';
import { leases } from './040-leases.ts';
import { fleet } from './050-fleet.ts';
import { eventClasses } from './060-event-classes.ts';
import { configurationHistory } from './070-configuration-history.ts';
import { configurationPieces } from './080-configuration-pieces.ts';
import { orphanedCertificates } from './090-orphaned-certificates.ts';
import { bans } from './092-bans.ts';
import { notificationMatters } from './093-notification-matters.ts';
import type { StorageMigration } from './column-types.ts';

export {
  latencyColumns,
  type StorageDialect,
  type StorageMigration,
  type SumColumn,
  sumColumns,
} from './column-types.ts';

/** Every step in order. New ones are added at the end, named by the noun that they serve. */
export const migrations: readonly StorageMigration[] = [
  first,
  accounts,
  configurationObjects,
  notifications,
  alerts,
  leases,
  fleet,
  eventClasses,
  configurationHistory,
  configurationPieces,
  orphanedCertificates,
  bans,
  notificationMatters,
];
