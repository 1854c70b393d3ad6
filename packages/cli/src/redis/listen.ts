import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayReport, PeerMessage, readReport, type ServiceReport } from '@portcullis/contract/link';
import { createConnection } from './connection.ts';
import { createEnvelope } from './envelope.ts';
import type { RedisLinkOptions } from './gateway-link.ts';
import { names } from './names.ts';

/** The last word of each gateway and service that spoke meanwhile. */
export interface Heard {
  readonly gateways: readonly GatewayReport[];
  readonly services: readonly ServiceReport[];
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Listens for a while to what gateways and services say of themselves. @returns undefined where Redis is not there */
export async function listenToFleet(
  { url, ca, clusterKey }: Omit<RedisLinkOptions, 'log'>,
  forMs: number,
): Promise<Heard | undefined> {
  const envelope = createEnvelope(clusterKey);
  const connection = createConnection({ url, ca, log: quiet });
  const { redis } = connection;
  const gateways = new Map<string, GatewayReport>();
  const services = new Map<string, ServiceReport>();
  redis.on('pmessageBuffer', (_: string, _channel: Buffer, message: Buffer) => {
    const report = readReport(envelope.open(message, 'report'));
    if (report) gateways.set(report.gatewayId, report);
  });
  redis.on('messageBuffer', (_: Buffer, sealed: Buffer) => {
    const told = envelope.open(sealed, 'peers') as { message?: unknown } | undefined;
    const message = PeerMessage.safeParse(told?.message).data;
    if (message?.type === 'service') services.set(message.report.serviceId, message.report);
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
