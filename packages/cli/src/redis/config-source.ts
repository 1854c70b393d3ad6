import {
  type ConfigSnapshot,
  type ConfigSource,
  type Directive,
  linkMismatch,
} from '@portcullis/contract/link';
import { z } from 'zod';
import { createJsonReader, readSpoken } from '../link/index.ts';
import type { Log } from '../log/index.ts';
import { type Connection, type ConnectionOptions, createConnection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';
import { keepSubscribed } from './subscribed.ts';

const Addresses = z.array(z.string().max(64)).max(10_000);

/** An announcement can be lost: this often we look ourselves. */
const lookEveryMs = 2000;

/**
 * Where gateways of several machines get their configuration: the newest snapshot lies under a key, and its version
 * is announced. Looks at each connect, at each announcement, and now and then.
 */
export function createConfigSource(
  connection: Connection,
  options: Pick<ConnectionOptions, 'url' | 'ca' | 'log'> & { readonly envelope: Envelope },
): ConfigSource {
  const subscriber = createConnection({ url: options.url, ca: options.ca, log: options.log });
  let timer: NodeJS.Timeout | undefined;
  return {
    start(onDirective) {
      const look = onePassAtATime(createLook(connection, options.envelope, options.log, onDirective));
      subscriber.redis.on('message', look);
      keepSubscribed(subscriber, { channels: [names.announcements] }, options.log, look);
      connection.redis.on('ready', look);
      timer = setInterval(look, lookEveryMs);
      look();
    },
    async stop() {
      clearInterval(timer);
      subscriber.close();
    },
  };
}

/** @returns starts a pass, or another one after the one under way */
function onePassAtATime(pass: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      again = false;
      await pass();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}

function createLook(
  { redis }: Connection,
  envelope: Envelope,
  log: Log,
  onDirective: (directive: Directive) => void,
): () => Promise<void> {
  let newest = Number.NEGATIVE_INFINITY;
  let unreadable: number | undefined;
  let watched: boolean | undefined;
  let operators: string | null = null;
  const understand = understanding(log);
  const reader = createJsonReader();
  const fetch = async (version: number) => {
    const sealed = await redis.hgetBuffer(names.configuration, 'sealed');
    const opened = sealed && (await envelope.openLarge(sealed, 'snapshot', reader));
    const snapshot = opened as ConfigSnapshot | undefined;
    if (!snapshot) {
      if (unreadable !== version) {
        log.error('The configuration was sealed with another key; the last good one stays in force', {
          version,
          mend: 'give this gateway the PORTCULLIS_CLUSTER_KEY of its services',
        });
      }
      unreadable = version;
      return;
    }
    // What lies there is a word of anybody who may write: an older snapshot, sealed by us long ago, is no news.
    if (!(snapshot.version > newest)) return;
    newest = snapshot.version;
    // The gateway examines it, and tells in its report why it refuses one.
    onDirective({ type: 'snapshot', snapshot });
  };
  const protect = async (name: string) => {
    const sealed = await redis.hgetBuffer(names.operators, 'sealed');
    const addresses = Addresses.safeParse(sealed && envelope.open(sealed, 'operators'));
    if (!addresses.success) return;
    operators = name;
    onDirective({ type: 'operators', addresses: addresses.data });
  };
  return async () => {
    try {
      const [version, watch, name, spoken] = await Promise.all([
        redis.hget(names.configuration, 'version'),
        redis.exists(names.watched),
        redis.hget(names.operators, 'name'),
        redis.get(names.link),
      ]);
      if (spoken !== null) understand(spoken);
      if (Number(version ?? Number.NaN) > newest) await fetch(Number(version));
      if (watched !== (watch === 1)) {
        watched = watch === 1;
        onDirective({ type: 'watch', active: watched });
      }
      if (name !== null && name !== operators) await protect(name);
    } catch {
      // Away: the next connect looks again, and the last good configuration is in force.
    }
  };
}

/** @returns says once of each link that services speak that this gateway cannot work with it */
function understanding(log: Log): (spoken: string) => void {
  const known = new Set<string>();
  return (spoken) => {
    const mismatch = known.has(spoken) ? undefined : linkMismatch(readSpoken(spoken));
    known.add(spoken);
    if (mismatch === undefined) return;
    const stays =
      'There is a service whose configuration this gateway cannot read; the last good one stays in force';
    log.error(stays, { reason: mismatch });
  };
}
