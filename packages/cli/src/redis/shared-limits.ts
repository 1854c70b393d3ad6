import type { BanInForce } from '@portcullis/contract/access';
import type { BucketCharge, SharedLimitListeners, SharedLimits } from '@portcullis/contract/link';
import { z } from 'zod';
import type { Log } from '../log/index.ts';
import { bucketScript } from './bucket-script.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';
import { SharedBuckets } from './shared-buckets.ts';
import { keepSubscribed } from './subscribed.ts';

/** What somebody may wait who solved a challenge. */
const claimPatienceMs = 500;
/** After it was slow the server is not asked for so long. */
const pauseMs = 1000;
/** So many failures in a row are told. */
const toldAfter = 3;

/** A ban as it stands on the server; `lifted` on the channel alone. */
export const StoredBan = z.object({
  id: z.string().max(64),
  address: z.string().max(64),
  until: z.number(),
  lifted: z.boolean().optional(),
});

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

/** Buckets and bans on the server. Clients' addresses and header values stand there as keyed hashes alone. */
export function createSharedLimits(options: SharedLimitOptions): SharedLimits {
  return new RedisLimits(options);
}

class RedisLimits implements SharedLimits {
  readonly #options: SharedLimitOptions;
  readonly #connection: Connection;
  readonly #subscriber: Connection;
  readonly #buckets: SharedBuckets;
  #notBefore = 0;
  #failures = 0;
  #told = false;
  #onChange: (shared: boolean) => void = () => {};

  constructor(options: SharedLimitOptions) {
    this.#options = options;
    this.#connection = createConnection(options);
    this.#subscriber = createConnection(options);
    this.#buckets = new SharedBuckets({
      nameOf: (limit, client) => `${names.buckets}${options.envelope.quickNameOf(`${limit} ${client}`)}`,
      run: (keys, fields) => commands(this.#connection).takeTokens(keys.length, ...keys, ...fields),
      note: (answered) => this.#note(answered),
    });
    this.#connection.redis.defineCommand('takeTokens', { lua: bucketScript });
    this.#connection.redis.defineCommand('countBlock', { numberOfKeys: 1, lua: blockScript });
  }

  start({ onBan, onLift, onChange }: SharedLimitListeners): void {
    this.#onChange = onChange;
    const hear = (sealed: Buffer | undefined, now: number) => {
      const { data: ban } = StoredBan.safeParse(sealed && this.#options.envelope.open(sealed, 'ban'));
      if (ban === undefined) return false;
      const { id, address, until, lifted = false } = ban;
      if (lifted) onLift({ id, address });
      else if (until > now) onBan({ id, address, forMs: until - now });
      return until > now;
    };
    const { redis } = this.#subscriber;
    redis.on(
      'messageBuffer',
      (_: Buffer, message: Buffer) => void this.#now().then((now) => hear(message, now), ignore),
    );
    keepSubscribed(this.#subscriber, { channels: [names.banned] }, this.#options.log);
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

  take(charges: readonly BucketCharge[]): ReturnType<SharedLimits['take']> {
    return this.#buckets.take(charges);
  }

  async recordBlock(
    address: string,
    { banAfterBlocks, banWindow }: Parameters<SharedLimits['recordBlock']>[1],
  ): Promise<boolean> {
    try {
      const key = `${names.blocks}${this.#options.envelope.nameOf(address)}`;
      return (await commands(this.#connection).countBlock(key, banAfterBlocks, banWindow * 1000)) === 1;
    } catch {
      return false;
    }
  }

  ban({ id, address, forMs }: BanInForce): void {
    const tell = async () => {
      const sealed = this.#options.envelope.seal({ id, address, until: (await this.#now()) + forMs }, 'ban');
      await this.#connection.redis.hset(names.bans, this.#options.envelope.nameOf(address), sealed);
      await this.#connection.redis.publish(names.banned, sealed);
    };
    tell().catch(ignore);
  }

  endBans(): void {
    if (this.#connection.redis.status === 'ready') this.#connection.redis.del(names.bans).catch(ignore);
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

const ignore = () => undefined;
