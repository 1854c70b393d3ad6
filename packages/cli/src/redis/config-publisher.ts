import type { LiftedBan } from '@portcullis/contract/access';
import type { ConfigSnapshot, ControlPlane, Directive } from '@portcullis/contract/link';
import { ownSpoken } from '../link/index.ts';
import type { Log } from '../log/index.ts';
import type { Connection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';
import { StoredBan } from './shared-limits.ts';

/** What was lost with the server's memory, or never got there, is put there again this often. */
const repeatEveryMs = 2000;
/** Gateways send samples of passes for so long after the last service said that somebody watches. */
const watchedForMs = 8000;

/**
 * Puts a snapshot in place and announces it, unless the one there is as new. One that another key sealed counts for
 * nothing, and so does the one that the caller saw to be unreadable. Version and snapshot change as one.
 */
const publishScript = `
local held = redis.call('HMGET', KEYS[1], 'version', 'key')
local version = tonumber(held[1] or '') or -1
if held[2] == ARGV[3] and version >= tonumber(ARGV[1]) and held[1] ~= ARGV[4] then return version end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'sealed', ARGV[2], 'key', ARGV[3])
redis.call('PUBLISH', KEYS[2], ARGV[1])
return tonumber(ARGV[1])`;

/** Keeps the newest snapshot where gateways look for it. */
export interface ConfigPublisher {
  start(): void;
  stop(): void;
}

interface PublisherOptions {
  readonly plane: ControlPlane;
  readonly envelope: Envelope;
  readonly log: Log;
}

/** @see ConfigPublisher */
export function createConfigPublisher(connection: Connection, options: PublisherOptions): ConfigPublisher {
  const { redis } = connection;
  const { plane, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  const publish = publishing(connection, options);

  async function watch(active: boolean): Promise<void> {
    // Another service may have watchers too, so nobody takes the mark away: it goes by itself.
    if (!active) return;
    const before = await redis.set(names.watched, '1', 'PX', watchedForMs, 'GET');
    if (before === null) await redis.publish(names.announcements, 'watched');
  }

  async function protect(addresses: readonly string[]): Promise<void> {
    const name = options.envelope.nameOf(addresses.join());
    if ((await redis.hget(names.operators, 'name')) === name) return;
    await redis.hset(names.operators, { name, sealed: options.envelope.seal(addresses, 'operators') });
  }

  const place = (directive: Directive) => {
    switch (directive.type) {
      case 'snapshot':
        return publish(directive.snapshot);
      case 'watch':
        return watch(directive.active);
      case 'operators':
        return protect(directive.addresses);
      case 'bans':
        return lift(connection, options.envelope, directive.lifted);
    }
  };
  const send = (directive: Directive) =>
    place(directive).catch((error: unknown) => {
      // Away: the next connect and the next turn send it again.
      if (redis.status === 'ready') log.error('Redis refused what gateways need', { reason: String(error) });
    });
  const sendAll = () => {
    redis.set(names.link, ownSpoken).catch(() => undefined);
    for (const directive of plane.current()) void send(directive);
  };
  return {
    start() {
      unsubscribe = plane.subscribe((directive) => void send(directive));
      redis.on('ready', sendAll);
      timer = setInterval(sendAll, repeatEveryMs);
      sendAll();
    },
    stop() {
      clearInterval(timer);
      unsubscribe?.();
    },
  };
}

/** What began, gateways told each other. A lift is said again and again, for one may be away when it is said first. */
async function lift({ redis }: Connection, envelope: Envelope, bans: readonly LiftedBan[]): Promise<void> {
  const { seal, open, nameOf } = envelope;
  for (const { id, address } of bans) {
    const name = nameOf(address);
    const sealed = await redis.hgetBuffer(names.bans, name);
    const held = StoredBan.safeParse(sealed && open(sealed, 'ban')).data;
    if (held?.id === id) {
      await redis.hdel(names.bans, name);
      await redis.del(`${names.blocks}${name}`);
    }
    await redis.publish(names.banned, seal({ id, address, until: 0, lifted: true }, 'ban'));
  }
}

function publishing(
  { redis }: Connection,
  { plane, envelope }: PublisherOptions,
): (snapshot: ConfigSnapshot) => Promise<void> {
  const key = envelope.nameOf('cluster key');

  /** What lies there is a word of anybody who may write, so a version counts once the snapshot under it opens. */
  async function unreadable(version: number): Promise<boolean> {
    const sealed = await redis.hgetBuffer(names.configuration, 'sealed');
    const opened = sealed && (envelope.open(sealed, 'snapshot') as ConfigSnapshot | undefined);
    if (opened?.version !== version) return true;
    await plane.overtaken(version);
    return false;
  }

  return async (snapshot) => {
    const [version, heldKey] = await redis.hmget(names.configuration, 'version', 'key');
    const held = version && heldKey === key ? Number(version) : -1;
    const replaced = held > snapshot.version && (await unreadable(held)) ? String(version) : '';
    // Sealing is the work, and mostly another service or an earlier turn has done it.
    if (held >= snapshot.version && replaced === '') return;
    const sealed = envelope.seal(snapshot, 'snapshot');
    const keys = [names.configuration, names.announcements];
    await redis.eval(publishScript, keys.length, ...keys, snapshot.version, sealed, key, replaced);
  };
}
