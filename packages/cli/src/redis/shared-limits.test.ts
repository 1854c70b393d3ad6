import { randomUUID } from 'node:crypto';
import type { BucketCharge, SharedLimits } from '@portcullis/contract/link';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEnvelope } from './envelope.ts';
import { createSharedLimits } from './shared-limits.ts';
import { type RedisServer, redisMissing, startRedis } from './testing/index.ts';

const soon = { timeout: 20_000, interval: 10 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const envelope = createEnvelope('a cluster key of more than 32 characters');
const charge = (fields: Partial<BucketCharge> = {}): BucketCharge => ({
  limit: 'site_1',
  client: '203.0.113.9',
  capacity: 10,
  window: 3600,
  refillInterval: 1,
  last: true,
  ...fields,
});

describe.skipIf(redisMissing)(`limits over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let server: RedisServer;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  afterAll(() => server?.stop());

  async function gateway() {
    const bans: string[] = [];
    const changes: boolean[] = [];
    const limits = createSharedLimits({ url: server.url, envelope, log: silent });
    limits.start(
      (client) => bans.push(client),
      (shared) => changes.push(shared),
    );
    ends.push(() => limits.stop());
    await vi.waitFor(() => expect(limits.available).toBe(true), soon);
    return { limits, bans, changes };
  }
  /** A busy machine may be slower than a request waits: then the next try, with a bucket of its own. */
  const inTime = <T>(attempt: (client: string) => Promise<T>) =>
    vi.waitFor(() => attempt(randomUUID()), soon);
  const taken = async (limits: SharedLimits, ...charges: BucketCharge[]) => {
    const states = await limits.take(charges);
    if (!states) throw new Error('no answer in time');
    return states.map(({ allowed }) => allowed);
  };

  it('are one bucket, whichever gateway is asked', async () => {
    const [one, two] = [await gateway(), await gateway()];
    await inTime(async (client) => {
      const asked = Array.from({ length: 12 }, (_, turn) =>
        taken((turn % 2 === 0 ? one : two).limits, charge({ client })),
      );
      expect((await Promise.all(asked)).flat().filter(Boolean)).toHaveLength(10);
    });
  });

  it('regain tokens by the interval, as a gateway alone counts them', async () => {
    const { limits } = await gateway();
    await inTime(async (client) => {
      const quick = charge({ client, capacity: 2, window: 2, refillInterval: 1 });
      expect(await taken(limits, quick, quick)).toEqual([true, true]);
      expect((await limits.take([quick]))?.[0]).toMatchObject({ allowed: false, parts: 0 });
    });
    await inTime(async (client) => {
      const quick = charge({ client, capacity: 1, window: 1, refillInterval: 1 });
      expect(await taken(limits, quick)).toEqual([true]);
      await vi.waitFor(async () => expect(await taken(limits, quick)).toEqual([true]), soon);
    });
  });

  it('do not charge what stands behind a bucket that is empty', async () => {
    const { limits } = await gateway();
    await inTime(async (client) => {
      const first = charge({ client, capacity: 1 });
      const second = charge({ client, limit: 'site_1 login' });
      expect(await taken(limits, first, second)).toEqual([true, true]);
      expect(await taken(limits, first, second)).toEqual([false]);
      expect((await limits.take([second]))?.[0]?.parts).toBe(8 * 3600);
    });
  });

  it('name nobody where another can read', async () => {
    const { limits } = await gateway();
    await inTime((client) => taken(limits, charge({ client, limit: '=a-token-of-an-api' })));
    const direct = new Redis(server.url, { protocol: 2 });
    const keys = await direct.keys('*');
    direct.disconnect();
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toMatch(/a-token|203\.0\.113/);
  });

  it('leave a gateway to itself while the server is slow, and say so', async () => {
    const { limits, changes } = await gateway();
    server.freeze();
    try {
      await vi.waitFor(async () => {
        if (limits.available) expect(await limits.take([charge()])).toBeUndefined();
        expect(changes).toEqual([false]);
      }, soon);
    } finally {
      server.thaw();
    }
    await vi.waitFor(async () => {
      if (limits.available) await limits.take([charge()]);
      expect(changes.at(-1)).toBe(true);
    }, soon);
  });

  it('let be used on one gateway what may be used once', async () => {
    const [one, two] = [await gateway(), await gateway()];
    const claims = await Promise.all([one, two, one].map(({ limits }) => limits.claim('answer', 60_000)));
    expect(claims.toSorted()).toEqual([false, false, true]);
    expect(await two.limits.claim('another answer', 60_000)).toBe(true);
    server.freeze();
    try {
      expect(await two.limits.claim('a third answer', 60_000)).toBeUndefined();
    } finally {
      server.thaw();
    }
  });

  it('ban on every gateway who was blocked too often on all of them together', async () => {
    const [one, two] = [await gateway(), await gateway()];
    const policy = { banAfterBlocks: 3, banWindow: 60, banDuration: 600 };
    const client = randomUUID();
    await vi.waitFor(async () => {
      const began = [
        await one.limits.recordBlock(client, policy),
        await two.limits.recordBlock(client, policy),
      ];
      expect(began).toContain(true);
    }, soon);
    for (const { bans } of [one, two]) await vi.waitFor(() => expect(bans).toContain(client), soon);
    const latecomer = await gateway();
    await vi.waitFor(() => expect(latecomer.bans).toContain(client), soon);
  });
});
