import path from 'node:path';
import { previewPage, trialWorker } from '@portcullis/gateway';
import { createService } from '@portcullis/service';
import { demoHost } from '../demo/index.ts';
import type { Settings } from '../environment/index.ts';
import { createLinkServer, holdDataFolder, linkSocketPath } from '../link/index.ts';
import { createLog } from '../log/index.ts';
import { runPart } from '../process/index.ts';
import { checkRule, listBuiltInRules } from '../rules/index.ts';
import { productVersion } from '../version.ts';

const consoleDir = path.resolve(import.meta.dirname, '../../../console/dist');

/** What ties the account at the authority to one there. */
function acmeBinding(settings: Settings) {
  const { PORTCULLIS_ACME_EAB_KEY_ID: keyId, PORTCULLIS_ACME_EAB_HMAC_KEY: hmacKey } = settings;
  return keyId !== undefined && hmacKey !== undefined ? { keyId, hmacKey } : undefined;
}

/** Several may run on a machine, each on a port of its own. */
function serviceName({ PORTCULLIS_NODE_NAME: node, PORTCULLIS_ADMIN_PORT: port }: Settings): string {
  return port === 0 || port === 7080 ? `${node}.service` : `${node}.service-${port}`;
}

/**
 * `portcullis service`: the control plane process, with the console and the link to the gateways.
 * @param demoUpstream the demo shop's URL, which becomes a site
 */
export async function runService(settings: Settings, demoUpstream?: string): Promise<void> {
  const log = createLog('service', (line) => process.stderr.write(line));
  const { PORTCULLIS_ADMIN_EMAIL: email, PORTCULLIS_ADMIN_PASSWORD: password } = settings;
  const { PORTCULLIS_REDIS_URL: url, PORTCULLIS_REDIS_CA: ca } = settings;
  const { PORTCULLIS_CLUSTER_KEY: clusterKey } = settings;
  const shared =
    url !== undefined && clusterKey !== undefined
      ? (await import('../redis/index.ts')).createRedisControlLink({ url, ca, clusterKey, log })
      : undefined;
  const service = createService({
    peers: shared?.peers,
    dataDir: settings.PORTCULLIS_DATA_DIR,
    ...(settings.PORTCULLIS_DATABASE_URL && { databaseUrl: settings.PORTCULLIS_DATABASE_URL }),
    adminHost: settings.PORTCULLIS_ADMIN_HOST,
    adminPort: settings.PORTCULLIS_ADMIN_PORT,
    publicUrl: settings.PORTCULLIS_PUBLIC_URL,
    adminTrustedProxies: settings.PORTCULLIS_ADMIN_TRUSTED_PROXIES,
    consoleDir,
    ...(email && password && { bootstrapAdmin: { email, password } }),
    ...(demoUpstream && {
      ensureSite: { name: 'Demo shop', domain: demoHost, backendUrl: demoUpstream },
    }),
    log,
    countryDatabaseFile: settings.PORTCULLIS_COUNTRY_DATABASE,
    acme: {
      directoryUrl: settings.PORTCULLIS_ACME_DIRECTORY,
      email: settings.PORTCULLIS_ACME_EMAIL,
      ca: settings.PORTCULLIS_ACME_CA,
      binding: acmeBinding(settings),
    },
    gatewayPorts: [settings.PORTCULLIS_HTTP_PORT, settings.PORTCULLIS_HTTPS_PORT],
    ...{ checkRule, listBuiltInRules },
    trialWorker,
    previewPage,
    productVersion,
    name: shared ? serviceName(settings) : 'service',
    nodeName: settings.PORTCULLIS_NODE_NAME,
  });
  const link = createLinkServer(linkSocketPath(settings.PORTCULLIS_DATA_DIR), service.controlPlane, log);
  let release: (() => void) | undefined;
  await runPart(
    {
      async start() {
        // First of all: a second service on this data folder is refused before anything is opened.
        release = holdDataFolder(settings.PORTCULLIS_DATA_DIR);
        await link.start();
        const started = await service.start();
        shared?.start(service.controlPlane);
        return started;
      },
      async stop() {
        await link.stop();
        await shared?.stop();
        await service.stop();
        release?.();
      },
    },
    log,
  );
}
