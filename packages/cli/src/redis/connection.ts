import { TLSSocket } from 'node:tls';
import { Redis } from 'ioredis';
import type { Log } from '../log/index.ts';

const firstPauseMs = 50;
const longestPauseMs = 2000;
const pingEveryMs = 2000;
/** A cut cable sends no word: a connection that is silent for this long is given up and opened anew. */
const silenceMs = 5000;
/** A server that takes no writes is left this often at most: it may be the only one that there is. */
const leaveEveryMs = 5000;

/** A connection that comes back by itself. Commands fail at once while it is away. */
export interface Connection {
  readonly redis: Redis;
  /** Tries to connect; does not wait for it. @param onReady called at each connect, the first one too */
  open(onReady?: () => void): void;
  /**
   * Waits for an answer. Where not a byte comes for `silentMs` the connection is given up, which fails the answer, and
   * opened anew; one that is large and comes slowly is waited for.
   */
  patiently<T>(answer: Promise<T>, silentMs: number): Promise<T>;
  close(): void;
}

export interface ConnectionOptions {
  /** `redis://…` or `rediss://…` */
  readonly url: string;
  /** PEM of the authorities that the server's certificate may come from; absent: the system's, NODE_EXTRA_CA_CERTS too */
  readonly ca?: string | undefined;
  readonly log: Log;
  /** says in the log when the server goes and comes; of several connections one is enough */
  readonly tells?: boolean;
  /** its commands wait for news, so that a ping would wait too: whoever waits does it {@link Connection.patiently} */
  readonly blocking?: boolean;
}

/** @see Connection. With `rediss://` the server's certificate and its name are verified, always. */
export function createConnection({
  url,
  ca,
  log,
  tells = false,
  blocking = false,
}: ConnectionOptions): Connection {
  let reason = 'cannot be reached';
  const leaves = leaving();
  const redis = new Redis(url, {
    lazyConnect: true,
    ...(ca !== undefined && new URL(url).protocol === 'rediss:' && { tls: { ca } }),
    protocol: 2,
    enableOfflineQueue: false,
    // A repeat is the caller's to decide, for it knows what is harmless twice.
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // What was under way when a connection broke fails there and then: with null it would never be settled.
    maxRetriesPerRequest: 0,
    // What is given up need not say goodbye over a cable that is cut.
    disconnectTimeout: 100,
    connectTimeout: silenceMs,
    keepAlive: pingEveryMs,
    reconnectOnError(error) {
      if (!leaves(error)) return false;
      reason = error.message;
      return true;
    },
    retryStrategy: (times) =>
      Math.min(firstPauseMs * 2 ** Math.min(times, 10), longestPauseMs) * (0.5 + Math.random() / 2),
  });
  let away: boolean | undefined;
  redis.on('error', (error: Error) => {
    reason = error.message || (error as NodeJS.ErrnoException).code || reason;
  });
  redis.on('ready', () => {
    if (tells && away) log.info('Redis is back');
    away = false;
  });
  redis.on('close', () => {
    if (tells && !away) log.warn('Redis is away', { reason });
    away = true;
  });
  giveUpUnready(redis);
  const pinging = blocking ? undefined : setInterval(() => void ping(redis), pingEveryMs).unref();
  return {
    redis,
    open(onReady = () => {}) {
      redis.on('ready', onReady);
      // It goes on trying by itself, and says so.
      redis.connect().catch(() => undefined);
    },
    patiently: (answer, silentMs) => patiently(redis, answer, silentMs),
    close() {
      clearInterval(pinging);
      away = true;
      redis.disconnect();
    },
  };
}

/**
 * After a failover the name, or the balancer, leads to another server than a connection that stands.
 * @returns whether to leave a server that answered so
 */
function leaving(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    if (!/\bREADONLY\b/.test(message) || now - leftAt < leaveEveryMs) return false;
    leftAt = now;
    return true;
  };
}

async function ping(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') return;
  // Where it fails the connection is gone, which its own listeners deal with.
  await patiently(redis, redis.ping(), silenceMs).catch(() => undefined);
}

async function patiently<T>(redis: Redis, answer: Promise<T>, silentMs: number): Promise<T> {
  // Absent before the first connect, when the answer fails at once.
  const stream: Redis['stream'] | undefined = redis.stream;
  let received = stream?.bytesRead;
  const watching = setInterval(() => {
    const before = received;
    received = stream?.bytesRead;
    if (received === before) giveUp(redis);
  }, silentMs);
  try {
    return await answer;
  } finally {
    clearInterval(watching);
  }
}

/** The cable may be cut between the handshake of TCP and the server's first word too. */
function giveUpUnready(redis: Redis): void {
  let silent: NodeJS.Timeout | undefined;
  redis.on('connect', () => {
    silent = setTimeout(() => giveUp(redis), silenceMs);
  });
  for (const event of ['ready', 'close']) redis.on(event, () => clearTimeout(silent));
}

/**
 * By a reset where it can be: a socket that is only closed still sends what it holds once the cable is back, and a read
 * among it takes entries off the stream that nobody is there to receive.
 */
function giveUp({ stream }: Redis): void {
  const byReset = stream.remoteAddress !== undefined && !(stream instanceof TLSSocket);
  if (byReset) stream.resetAndDestroy();
  else stream.destroy();
}
