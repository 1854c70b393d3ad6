import type { ConfigSource, EventSink, SharedLimits } from '@portcullis/contract/link';
import type { Log } from '../log/index.ts';
import { createConfigSource } from './config-source.ts';
import { createConnection } from './connection.ts';
import { createEnvelope } from './envelope.ts';
import { createEventSink } from './event-sink.ts';
import { createSharedLimits } from './shared-limits.ts';

export interface RedisLinkOptions {
  /** `redis://…` or `rediss://…` */
  readonly url: string;
  /** PEM of the authorities that the server's certificate may come from; absent: the system's */
  readonly ca?: string | undefined;
  /** the secret that services and gateways share */
  readonly clusterKey: string;
  readonly log: Log;
}

/** A gateway's end of the link over several machines. */
export interface RedisGatewayLink {
  readonly source: ConfigSource;
  readonly sink: EventSink;
  readonly limits: SharedLimits;
  stop(): Promise<void>;
}

/** Connects at once and for ever; what cannot be had now comes later. */
export function createRedisGatewayLink({ url, ca, clusterKey, log }: RedisLinkOptions): RedisGatewayLink {
  const envelope = createEnvelope(clusterKey);
  const connection = createConnection({ url, ca, log, tells: true });
  const source = createConfigSource(connection, { url, ca, log, envelope });
  const sink = createEventSink(connection, { envelope, log });
  connection.open();
  return {
    source,
    sink,
    limits: createSharedLimits({ url, ca, envelope, log }),
    async stop() {
      await source.stop();
      connection.close();
    },
  };
}
