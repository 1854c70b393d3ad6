import { setImmediate } from 'node:timers';
import type { BucketCharge, BucketState, SharedLimits } from '@portcullis/contract/link';
import { z } from 'zod';
import type { Log } from '../log/index.ts';
import { argumentOf, bucketScript } from './bucket-script.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';

/** What a request may wait for the server. */
const patienceMs = 5;
/** What somebody may wait who solved a challenge. */
const claimPatienceMs = 500;
/** After it was slow the server is not asked for so long. */
const pauseMs = 1000;
/** So many failures in a row are told. */
const toldAfter = 3;
const maxNames = 2000;
/** Requests of one script run: Redis serves nobody else meanwhile. */
const maxWaiting = 256;

const Ban = z.object({ client: z.string().max(64), until: z.number() });

interface Waiting {
  readonly charges: readonly BucketCharge[];
  readonly resolve: (states: readonly BucketState[] | undefined) => void;
}

/** Counts a block, and says whether it is the one that begins a ban. */
const blockScript = `
local blocks = redis.call('INCR', KEYS[1])
if blocks == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if blocks < tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
return 1`;

export interface SharedLimitOptions {
  readonly url: string;
  readonly ca?: string | undefined;
  readonly envelope: Envelope;
  readonly log: Log;
}

/**
 * Buckets and bans on the server. What requests of one turn of the event loop ask goes there as one script, and
 * comes back in one answer. Clients' addresses and header values stand there as keyed hashes alone.
 */
export function createSharedLimits(options: SharedLimitOptions): SharedLimits {
  return new RedisLimits(options);
}

class RedisLimits implements SharedLimits {
  readonly #options: SharedLimitOptions;
  readonly #connection: Connection;
  readonly #subscriber: Connection;
  readonly #keys = new Map<string, Map<string, string>>();
  #waiting: Waiting[] = [];
  #notBefore = 0;
  #failures = 0;
  #told = false;
  #onChange: (shared: boolean) => void = () => {};

  constructor(options: SharedLimitOptions) {
    this.#options = options;
    this.#connection = createConnection(options);
    this.#subscriber = createConnection(options);
    this.#connection.redis.defineCommand('takeTokens', { lua: bucketScript });
    this.#connection.redis.defineCommand('countBlock', { numberOfKeys: 1, lua: blockScript });
  }

  start(onBan: (client: string, forMs: number) => void, onChange: (shared: boolean) => void): void {
    this.#onChange = onChange;
    const hear = (sealed: Buffer | undefined, now: number) => {
      const ban = Ban.safeParse(sealed && this.#options.envelope.open(sealed, 'ban'));
      if (ban.success && ban.data.until > now) onBan(ban.data.client, ban.data.until - now);
      return ban.success && ban.data.until > now;
    };
    const { redis } = this.#subscriber;
    redis.on(
      'messageBuffer',
      (_: Buffer, message: Buffer) => void this.#now().then((now) => hear(message, now), ignore),
    );
    this.#subscriber.open(() => void redis.subscribe(names.banned).catch(ignore));
    this.#connection.open(() => {
      void this.#readBans(hear).catch(ignore);
    });
  }

  stop(): void {
    this.#subscriber.close();
    this.#connection.close();
  }

  get available(): boolean {
    return this.#connection.redis.status === 'ready' && performance.now() >= this.#notBefore;
  }

  take(charges: readonly BucketCharge[]): Promise<readonly BucketState[] | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ charges, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#ask());
      else if (this.#waiting.length === maxWaiting) this.#ask();
    });
  }

  async recordBlock(
    client: string,
    { banAfterBlocks, banWindow, banDuration }: Parameters<SharedLimits['recordBlock']>[1],
  ): Promise<boolean> {
    try {
      const key = `${names.blocks}${this.#options.envelope.nameOf(client)}`;
      const began = await commands(this.#connection).countBlock(key, banAfterBlocks, banWindow * 1000);
      if (began === 1) this.ban(client, banDuration * 1000);
      return began === 1;
    } catch {
      return false;
    }
  }

  ban(client: string, forMs: number): void {
    const tell = async () => {
      const ban = { client, until: (await this.#now()) + forMs };
      const sealed = this.#options.envelope.seal(ban, 'ban');
      await this.#connection.redis.hset(names.bans, this.#options.envelope.nameOf(client), sealed);
      await this.#connection.redis.publish(names.banned, sealed);
    };
    tell().catch(ignore);
  }

  async claim(token: string, forMs: number): Promise<boolean | undefined> {
    const { redis } = this.#connection;
    const key = `${names.used}${this.#options.envelope.nameOf(token)}`;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, claimPatienceMs, undefined);
    const asked = redis.set(key, '', 'PX', forMs, 'NX').then((set) => set === 'OK');
    return Promise.race([asked, promise])
      .catch(ignore)
      .finally(() => clearTimeout(timer));
  }

  /** The server's clock, which all gateways have in common. */
  async #now(): Promise<number> {
    const [seconds, micros] = await this.#connection.redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }

  async #readBans(hear: (sealed: Buffer, now: number) => boolean): Promise<void> {
    const { redis } = this.#connection;
    const [now, bans] = [await this.#now(), await redis.hgetallBuffer(names.bans)];
    const over = Object.entries(bans).filter(([, sealed]) => !hear(sealed as Buffer, now));
    if (over.length > 0) await redis.hdel(names.bans, ...over.map(([name]) => name));
  }

  /** Remembered by limit and client apart, for putting the two into one text costs more than finding it. */
  #keyOf({ limit, client }: BucketCharge): string {
    let keys = this.#keys.get(limit);
    if (keys === undefined || keys.size >= maxNames) {
      if (this.#keys.size >= maxNames) this.#keys.clear();
      keys = new Map();
      this.#keys.set(limit, keys);
    }
    let key = keys.get(client);
    if (key === undefined) {
      key = `${names.buckets}${this.#options.envelope.nameOf(`${limit} ${client}`)}`;
      keys.set(client, key);
    }
    return key;
  }

  #ask(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    if (asked.length === 0) return;
    const keys: string[] = [];
    const fields: string[] = [];
    for (const { charges } of asked) {
      for (const [index, charge] of charges.entries()) {
        keys.push(this.#keyOf(charge));
        fields.push(argumentOf(charge, index === 0));
      }
    }
    let settled = false;
    const settle = (states: readonly number[] | undefined) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      this.#note(states !== undefined);
      let at = 0;
      for (const { charges, resolve } of asked) {
        resolve(states && charges.flatMap((_, index) => stateAt(states, at + index)));
        at += charges.length;
      }
    };
    // Where we ourselves were late the answer may lie there unread: it is read before the second check.
    const timer = setTimeout(() => setImmediate(() => settle(undefined)), patienceMs);
    commands(this.#connection)
      .takeTokens(keys.length, ...keys, ...fields)
      .then(settle, () => settle(undefined));
  }

  #note(answered: boolean): void {
    this.#failures = answered ? 0 : this.#failures + 1;
    if (!answered) this.#notBefore = performance.now() + pauseMs;
    const alone = this.#failures >= toldAfter || (this.#told && !answered);
    if (alone === this.#told) return;
    this.#told = alone;
    this.#onChange(!alone);
  }
}

interface LimitCommands {
  takeTokens(keys: number, ...rest: (string | number)[]): Promise<number[]>;
  countBlock(key: string, blocks: number, windowMs: number): Promise<number>;
}

/** ioredis types no command that was defined at run time. */
const commands = ({ redis }: Connection) => redis as unknown as LimitCommands;

/** @returns nothing for a charge that was not made */
function stateAt(states: readonly number[], index: number): BucketState[] {
  const [allowed = -1, parts = 0, creditedMsAgo = 0] = states.slice(index * 3, index * 3 + 3);
  return allowed < 0 ? [] : [{ allowed: allowed === 1, parts, creditedMsAgo }];
}

const ignore = () => undefined;
