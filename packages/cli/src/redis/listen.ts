import { setTimeout as delay } from 'node:timers/promises';
import { PeerMessage, readReport } from '@portcullis/contract/link';
import type { HeardFleet } from '@portcullis/service';
import { createConnection } from './connection.ts';
import { createEnvelope } from './envelope.ts';
import type { RedisLinkOptions } from './gateway-link.ts';
import { names } from './names.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Listens for a while to what gateways and services say of themselves.
 * @returns the last word of each; undefined where Redis is not there
 */
export async function listenToFleet(
  { url, ca, clusterKey }: Omit<RedisLinkOptions, 'log'>,
  forMs: number,
): Promise<HeardFleet | undefined> {
  const envelope = createEnvelope(clusterKey);
  const connection = createConnection({ url, ca, log: quiet });
  const { redis } = connection;
  const gateways = new Map<string, HeardFleet['gateways'][number]>();
  const services = new Map<string, HeardFleet['services'][number]>();
  redis.on('pmessageBuffer', (_: string, _channel: Buffer, message: Buffer) => {
    const report = readReport(envelope.open(message, 'report'));
    if (report) gateways.set(report.gatewayId, { at: Date.now(), report });
  });
  redis.on('messageBuffer', (_: Buffer, sealed: Buffer) => {
    const told = envelope.open(sealed, 'peers') as { message?: unknown } | undefined;
    const message = PeerMessage.safeParse(told?.message).data;
    if (message?.type !== 'service') return;
    const { report } = message;
    services.set(report.serviceId, { at: Date.now(), report });
  });
  let reached = false;
  connection.open(() => {
    Promise.all([redis.psubscribe(names.allReports), redis.subscribe(names.peers)]).then(
      () => {
        reached = true;
      },
      () => undefined,
    );
  });
  await delay(forMs);
  connection.close();
  return reached ? { gateways: [...gateways.values()], services: [...services.values()] } : undefined;
}
