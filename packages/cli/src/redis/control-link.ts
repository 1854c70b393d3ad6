import { randomUUID } from 'node:crypto';
import { type ControlPlane, PeerMessage, type Peers, readReport, Sighting } from '@portcullis/contract/link';
import { z } from 'zod';
import type { Log } from '../log/index.ts';
import { createBatchConsumer } from './batch-consumer.ts';
import { createConfigPublisher } from './config-publisher.ts';
import { createConnection } from './connection.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import type { RedisLinkOptions } from './gateway-link.ts';
import { names } from './names.ts';
import { keepSubscribed } from './subscribed.ts';

/** A service's end of the link over several machines. */
export interface RedisControlLink {
  /** the other services on the same database */
  readonly peers: Peers;
  /** Begins to publish, and to take what gateways send. @param plane of a service that runs */
  start(plane: ControlPlane): void;
  stop(): Promise<void>;
}

const Sightings = z.array(Sighting).max(1000);
const Told = z.object({ from: z.string(), message: z.unknown() });

type Listeners = Set<(message: PeerMessage) => void>;

/** Connects once started; what cannot be sent now is sent later, or is of no use later. */
export function createRedisControlLink({ url, ca, clusterKey, log }: RedisLinkOptions): RedisControlLink {
  const envelope = createEnvelope(clusterKey);
  const self = randomUUID();
  const commands = createConnection({ url, ca, log, tells: true });
  const subscriber = createConnection({ url, ca, log });
  const listeners: Listeners = new Set();
  let hearing = false;
  let parts: readonly { start(): void; stop(): unknown }[] = [];
  return {
    peers: {
      get hearing() {
        return hearing;
      },
      tell(message) {
        const sealed = envelope.seal({ from: self, message }, 'peers');
        // Peers look for themselves now and then, so a lost word costs a moment.
        commands.redis.publish(names.peers, sealed).catch(() => undefined);
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    start(plane) {
      const receive = receivers({ plane, envelope, log, self, listeners });
      const { redis } = subscriber;
      redis.on('messageBuffer', (channel: Buffer, message: Buffer) => receive[channel.toString()]?.(message));
      redis.on('pmessageBuffer', (pattern: string, _: Buffer, message: Buffer) =>
        receive[pattern]?.(message),
      );
      redis.on('close', () => {
        hearing = false;
      });
      const wanted = { channels: [names.sightings, names.peers], patterns: [names.allReports] };
      keepSubscribed(subscriber, wanted, log, () => {
        hearing = true;
      });
      commands.open();
      parts = [
        createConfigPublisher(commands, { plane, envelope, log }),
        createBatchConsumer(commands, { url, ca, log, plane, envelope, consumer: self }),
      ];
      for (const part of parts) part.start();
    },
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
      subscriber.close();
      commands.close();
    },
  };
}

interface ReceiverOptions {
  readonly plane: ControlPlane;
  readonly envelope: Envelope;
  readonly log: Log;
  readonly self: string;
  readonly listeners: Listeners;
}

/** What is done with a message of each channel or pattern. */
function receivers(options: ReceiverOptions): Readonly<Record<string, (message: Buffer) => void>> {
  const { plane, envelope, log, self, listeners } = options;
  let complained = false;
  const complain = (who: string) => {
    if (complained) return;
    complained = true;
    log.error(`${who} sends what this service cannot read`, {
      mend: 'give all of them the same PORTCULLIS_CLUSTER_KEY, and no other installation this database of Redis',
    });
  };
  return {
    [names.allReports](message) {
      const report = readReport(envelope.open(message, 'report'));
      if (report) plane.acceptReport(report);
      else complain('a gateway');
    },
    [names.sightings](message) {
      const sightings = Sightings.safeParse(envelope.open(message, 'sightings'));
      if (sightings.success) plane.acceptSightings(sightings.data);
    },
    [names.peers](message) {
      const told = Told.safeParse(envelope.open(message, 'peers'));
      if (!told.success) return complain('another service');
      // A service of a newer version may say what this one does not know.
      const known = PeerMessage.safeParse(told.data.message);
      if (!known.success || told.data.from === self) return;
      for (const listener of listeners) listener(known.data);
    },
  };
}
