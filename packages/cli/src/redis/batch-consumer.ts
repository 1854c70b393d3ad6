import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type ControlPlane, EventBatch } from '@portcullis/contract/link';
import type { Log } from '../log/index.ts';
import { type Connection, type ConnectionOptions, createConnection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';

const group = 'services';
/** Batches of one transaction, together at most what one gateway may send at once. */
const batchesAtOnce = 32;
const waitMs = 1000;
/** A read of which nothing came by then found a dead connection. */
const deadMs = 4 * waitMs;
const pauseMs = 250;
const longestPauseMs = 5000;
/** An entry that its service has not acknowledged for so long is another's to store. */
export const abandonedMs = 12_000;
/** What a service was handed for so long and does not know of was lost on the way to it, and is handed out again. */
const lostMs = 2000;
/** Together with that, how long events of a dead service may lie. */
export const takeOverEveryMs = 3000;
const trimEveryMs = 500;
/** A service that ended left nothing but its name behind. */
const forgottenMs = 3_600_000;
const unreadableKept = 1000;

/**
 * Drops what is acknowledged, and only that: below the oldest entry that is not, or all that was handed out where
 * all of it is. Says below what everything is stored; after it has trimmed, for a server whose memory is full refuses what
 * may take more of it, except to who made room.
 */
const trimScript = `
local pending = redis.call('XPENDING', KEYS[1], ARGV[1])
local threshold = pending[2]
if pending[1] == 0 then
  for _, fields in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    local name, last
    for i = 1, #fields, 2 do
      if fields[i] == 'name' then name = fields[i + 1] end
      if fields[i] == 'last-delivered-id' then last = fields[i + 1] end
    end
    if name == ARGV[1] then
      local time, sequence = string.match(last, '^(%d+)-(%d+)$')
      threshold = time .. '-' .. string.format('%d', tonumber(sequence) + 1)
    end
  end
end
if not threshold then return 0 end
local trimmed = redis.call('XTRIM', KEYS[1], 'MINID', threshold)
redis.call('SET', KEYS[2], threshold)
redis.call('SET', KEYS[3], ARGV[2], 'NX')
return trimmed`;

/** A stream whose group is gone is another one than gateways appended to, which the name of its memory tells them. */
const beginScript = `
redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
redis.call('SET', KEYS[2], ARGV[2])`;

interface Entry {
  readonly id: string;
  readonly sealed: Buffer | undefined;
}

/** Stores what gateways appended to the stream, once, whichever service it falls to. */
export interface BatchConsumer {
  start(): void;
  /** resolves once what is under way is stored or left to others */
  stop(): Promise<void>;
}

export interface BatchConsumerOptions extends Pick<ConnectionOptions, 'url' | 'ca' | 'log'> {
  readonly plane: ControlPlane;
  readonly envelope: Envelope;
  /** of this run of the service */
  readonly consumer: string;
}

/** @see BatchConsumer */
export function createBatchConsumer(connection: Connection, options: BatchConsumerOptions): BatchConsumer {
  const reader = createConnection({ ...options, blocking: true });
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Set<string>();
  const store = storing(connection, options, signal, underWay);
  const loops: Promise<void>[] = [];
  const forever = async (turn: () => Promise<void>, everyMs: number, { redis } = connection) => {
    for (let waitingMs = pauseMs; !signal.aborted; ) {
      try {
        await turn();
        waitingMs = everyMs;
      } catch (error) {
        await mend(connection, error, options.log);
        waitingMs = Math.min(Math.max(waitingMs, pauseMs) * 2, longestPauseMs);
        if (redis.status !== 'ready') {
          await once(redis, 'ready', { signal }).catch(() => undefined);
          waitingMs = 0;
        }
      }
      if (waitingMs > 0) await delay(waitingMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    start() {
      reader.open();
      loops.push(
        forever(async () => store(await readNew(reader, options.consumer)), 0, reader),
        forever(async () => {
          for (const find of [takeOver, findLost]) {
            let found: Entry[];
            do {
              found = await find(connection, options.consumer, underWay);
              await store(found);
            } while (found.length > 0 && !signal.aborted);
          }
        }, takeOverEveryMs),
        forever(async () => {
          const keys = [names.batches, names.stored, names.memory];
          await connection.redis.eval(trimScript, keys.length, ...keys, group, randomUUID());
        }, trimEveryMs),
        forever(() => forgetEnded(connection), forgottenMs),
      );
    },
    async stop() {
      stopping.abort();
      reader.close();
      await Promise.all(loops);
    },
  };
}

/** A server that lost its memory has lost the group too. */
async function mend({ redis }: Connection, error: unknown, log: Log): Promise<void> {
  const reason = String(error);
  if (/NOGROUP|no such key|requires the key to exist/i.test(reason)) {
    const keys = [names.batches, names.memory];
    // Another service may be faster.
    await redis.eval(beginScript, keys.length, ...keys, group, randomUUID()).catch(() => undefined);
  } else if (redis.status === 'ready' && !/closed|writable|timed out|ended/i.test(reason)) {
    log.error('Redis refused a service', { reason });
  }
}

async function readNew({ redis, patiently }: Connection, consumer: string): Promise<Entry[]> {
  const within = ['COUNT', batchesAtOnce, 'BLOCK', waitMs, 'STREAMS', names.batches, '>'] as const;
  const read = await patiently(redis.xreadgroupBuffer('GROUP', group, consumer, ...within), deadMs);
  const streams = (read ?? []) as [Buffer, [Buffer, Buffer[] | null][]][];
  return streams.flatMap(([, entries]) => entries.map(entryOf));
}

async function takeOver({ redis }: Connection, consumer: string): Promise<Entry[]> {
  const claimed = (await redis.callBuffer(
    'XAUTOCLAIM',
    names.batches,
    group,
    consumer,
    abandonedMs,
    '0',
    'COUNT',
    batchesAtOnce,
  )) as [Buffer, [Buffer, Buffer[] | null][]];
  return claimed[1].map(entryOf);
}

/** An answer that a cut swallowed: the server takes its entries for delivered, and this service never saw them. */
async function findLost(
  { redis }: Connection,
  consumer: string,
  underWay: ReadonlySet<string>,
): Promise<Entry[]> {
  const held = (await redis.xpending(
    names.batches,
    group,
    'IDLE',
    lostMs,
    '-',
    '+',
    // Next to those under way that the other loop holds.
    2 * batchesAtOnce,
    consumer,
  )) as [string, ...unknown[]][];
  const lost = held
    .map(([id]) => id)
    .filter((id) => !underWay.has(id))
    .slice(0, batchesAtOnce);
  if (lost.length === 0) return [];
  const claimed = await redis.callBuffer('XCLAIM', names.batches, group, consumer, lostMs, ...lost);
  return (claimed as [Buffer, Buffer[] | null][]).map(entryOf);
}

function entryOf([id, fields]: [Buffer, Buffer[] | null]): Entry {
  const at = fields?.findIndex((field) => field.equals(fieldName)) ?? -1;
  return { id: id.toString(), sealed: at < 0 ? undefined : fields?.[at + 1] };
}
const fieldName = Buffer.from('batch');

/**
 * @param underWay is kept: ids of what is being stored
 * @returns stores entries and acknowledges them after the commit; those it cannot store now it tries until it can
 */
function storing(
  { redis }: Connection,
  { plane, envelope, log }: BatchConsumerOptions,
  signal: AbortSignal,
  underWay: Set<string>,
): (entries: readonly Entry[]) => Promise<void> {
  const acknowledge = async (entries: readonly Entry[]) =>
    void (await redis.xack(names.batches, group, ...entries.map(({ id }) => id)));
  const setAside = async (entry: Entry, reason: string) => {
    const { id, sealed } = entry;
    log.error('A batch of events could not be stored and was set aside', {
      entry: id,
      reason,
      at: names.unreadable,
    });
    if (sealed)
      await redis.xadd(names.unreadable, 'MAXLEN', unreadableKept, '*', 'batch', sealed, 'reason', reason);
    await acknowledge([entry]);
  };
  const storeAll = async (entries: readonly Entry[]): Promise<void> => {
    const batches = new Map<Entry, EventBatch>();
    for (const entry of entries) {
      const opened = entry.sealed && envelope.open(entry.sealed, 'batch');
      const parsed = EventBatch.safeParse(opened);
      if (parsed.success) batches.set(entry, parsed.data);
      else
        await setAside(
          entry,
          opened === undefined ? 'sealed with another key' : parsed.error.message.slice(0, 1000),
        );
    }
    for (let waitingMs = pauseMs; batches.size > 0 && !signal.aborted; ) {
      const delivery = await plane.acceptAll([...batches.values()]);
      if (delivery.delivered) return acknowledge([...batches.keys()]);
      if (!delivery.retry) return storeEach([...batches.keys()], delivery.reason);
      await delay(waitingMs, undefined, { signal }).catch(() => undefined);
      waitingMs = Math.min(waitingMs * 2, longestPauseMs);
    }
  };
  /** What was refused for good may be one among many. */
  const storeEach = async (entries: readonly Entry[], reason: string): Promise<void> => {
    const [only, ...others] = entries;
    if (only && others.length === 0) return setAside(only, reason);
    for (const entry of entries) await storeAll([entry]);
  };
  return async (entries) => {
    for (const { id } of entries) underWay.add(id);
    try {
      await storeAll(entries);
    } finally {
      for (const { id } of entries) underWay.delete(id);
    }
  };
}

/** Forgets the names of services that ended, once nothing hangs on them. */
async function forgetEnded({ redis }: Connection): Promise<void> {
  const consumers = (await redis.xinfo('CONSUMERS', names.batches, group)) as (string | number)[][];
  for (const fields of consumers) {
    const of = (name: string) => fields[fields.indexOf(name) + 1];
    if (of('pending') === 0 && Number(of('idle')) > forgottenMs) {
      await redis.xgroup('DELCONSUMER', names.batches, group, String(of('name')));
    }
  }
}
