import type { FastifyInstance } from 'fastify';
import { accessRoutes } from './access/index.ts';
import { apiReferenceRoutes } from './api-reference/index.ts';
import { apiTokenRoutes } from './api-tokens/index.ts';
import { authenticate, authRoutes, keyRotationRoutes } from './auth/index.ts';
import { banRoutes } from './bans/index.ts';
import { certificateRoutes } from './certificates/index.ts';
import { configurationRoutes } from './configuration/index.ts';
import { configurationFileRoutes } from './configuration-file/index.ts';
import { eventRoutes } from './events/index.ts';
import { fleetRoutes } from './fleet/index.ts';
import { createApp } from './http/index.ts';
import { monitoringRoutes } from './monitoring/index.ts';
import { notificationRoutes } from './notifications/index.ts';
import type { ServiceOptions } from './options.ts';
import type { Parts } from './parts.ts';
import { profileRoutes } from './profile/index.ts';
import { prometheusRoutes } from './prometheus/index.ts';
import { protectionRoutes } from './protection/index.ts';
import { restorers } from './restorers.ts';
import { readSettings, settingsRoutes } from './settings/index.ts';
import { siteRoutes } from './sites/index.ts';
import { copyRules, removeDependents } from './stored-configuration.ts';
import { streamRoutes } from './streams/index.ts';
import { surroundings } from './surroundings.ts';
import { twoFactorRoutes } from './two-factor/index.ts';
import { userRoutes } from './users/index.ts';

/** Why calls cannot be answered now: storage is asked, for everything needs it, and to write. */
async function notReady({ storage }: Parts): Promise<string | undefined> {
  try {
    await storage.read.selectFrom('meta').select('key').limit(1).execute();
    return await storage.whyNoWrites();
  } catch {
    return 'storage does not answer';
  }
}

/** The HTTP server with every noun's routes. */
export async function routes(parts: Parts, options: ServiceOptions): Promise<FastifyInstance> {
  const app = await createApp({
    ...options,
    authenticate: (request) => authenticate(parts, request),
    crossOrigin: () => readSettings(parts.storage.read, 'security'),
    notReady: () => notReady(parts),
  });
  apiReferenceRoutes(app, options.productVersion);
  authRoutes(app, parts);
  profileRoutes(app, parts);
  twoFactorRoutes(app, parts);
  apiTokenRoutes(app, parts);
  userRoutes(app, parts);
  settingsRoutes(app, parts);
  keyRotationRoutes(app, parts);
  notificationRoutes(app, { ...parts, publicUrl: options.publicUrl });
  const checkers = { surroundings: () => surroundings(options), checkRule: options.checkRule ?? (() => []) };
  siteRoutes(app, {
    ...parts,
    ...checkers,
    previewPage: options.previewPage,
    copyRules: (trx, copy) => copyRules(parts, trx, copy),
    removeDependents: (trx, siteId) => removeDependents(parts, trx, siteId),
  });
  protectionRoutes(app, {
    ...parts,
    ...checkers,
    trialWorker: options.trialWorker,
    listBuiltInRules: options.listBuiltInRules ?? (() => []),
  });
  accessRoutes(app, parts);
  banRoutes(app, parts);
  const known = restorers({ ...parts, ...checkers });
  configurationRoutes(app, { ...parts, restorers: known });
  configurationFileRoutes(app, { ...parts, ...checkers, restorers: known });
  certificateRoutes(app, parts);
  eventRoutes(app, parts);
  fleetRoutes(app, parts);
  monitoringRoutes(app, {
    storage: parts.storage,
    read: parts.storage.read,
    gateways: parts.gateways,
    now: parts.now,
    uptimeMs: parts.uptimeMs,
    sites: () => parts.configuration.current().sites,
    unstored: () => (parts.fleet.unstored === undefined ? undefined : parts.unstored),
  });
  prometheusRoutes(app, {
    read: parts.storage.read,
    gateways: parts.gateways,
    figures() {
      const { version, sites } = parts.configuration.current();
      const { startedAt } = parts;
      return { productVersion: options.productVersion, configVersion: version, sites, startedAt };
    },
  });
  streamRoutes(app, parts);
  return app;
}
