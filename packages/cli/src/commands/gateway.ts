import { createGateway } from '@portcullis/gateway';
import type { Settings } from '../environment/index.ts';
import { createLinkClient, linkSocketPath } from '../link/index.ts';
import { createLog } from '../log/index.ts';
import { runPart } from '../process/index.ts';
import { productVersion } from '../version.ts';

/**
 * `portcullis gateway --id gateway-1`: one data plane process, linked to the service of its machine, or to all of them
 * over Redis.
 */
export async function runGateway(settings: Settings, name: string): Promise<void> {
  const { PORTCULLIS_REDIS_URL: url, PORTCULLIS_REDIS_CA: ca } = settings;
  const { PORTCULLIS_CLUSTER_KEY: clusterKey } = settings;
  const shared = url !== undefined && clusterKey !== undefined;
  // Every machine has a gateway-1.
  const id = shared ? `${settings.PORTCULLIS_NODE_NAME}.${name}`.slice(0, 64) : name;
  const log = createLog(id, (line) => process.stderr.write(line));
  const redis = shared
    ? (await import('../redis/index.ts')).createRedisGatewayLink({ url, ca, clusterKey, log })
    : undefined;
  const link = redis ?? createLinkClient(linkSocketPath(settings.PORTCULLIS_DATA_DIR), log);
  const gateway = createGateway({
    id,
    host: settings.PORTCULLIS_HTTP_HOST,
    httpPort: settings.PORTCULLIS_HTTP_PORT,
    httpsPort: settings.PORTCULLIS_HTTPS_PORT,
    dataDir: settings.PORTCULLIS_DATA_DIR,
    source: link.source,
    sink: link.sink,
    limits: redis?.limits,
    log,
    productVersion,
    nodeName: settings.PORTCULLIS_NODE_NAME,
    accessLog: {
      folder: settings.PORTCULLIS_ACCESS_LOG_DIR,
      maxBytes: settings.PORTCULLIS_ACCESS_LOG_MEGABYTES * 1024 * 1024,
    },
    eventLines: settings.PORTCULLIS_EVENT_LOG === 'stdout' ? process.stdout : undefined,
    reusePort: settings.PORTCULLIS_GATEWAY_WORKERS > 1,
  });
  await runPart(
    {
      async start() {
        const { httpPort, httpsPort } = await gateway.start();
        return { port: httpPort, ...(httpsPort !== undefined && { httpsPort }) };
      },
      async stop() {
        await gateway.stop();
        await link.stop();
      },
    },
    log,
  );
}
