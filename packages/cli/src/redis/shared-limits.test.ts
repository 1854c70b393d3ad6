import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BucketCharge, ControlPlane, Directive, SharedLimits } from '@portcullis/contract/link';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { argumentOf, bucketScript } from './bucket-script.ts';
import { createConfigPublisher } from './config-publisher.ts';
import { createConnection } from './connection.ts';
import { createEnvelope } from './envelope.ts';
import { names } from './names.ts';
import { createSharedLimits } from './shared-limits.ts';
import { type RedisServer, redisMissing, startRedis } from './testing/index.ts';
import { type Asking, oneToken } from './token-leases.ts';

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
    const lifts: string[] = [];
    const changes: boolean[] = [];
    const limits = createSharedLimits({ url: server.url, envelope, log: silent });
    limits.start({
      onBan: ({ id }) => bans.push(id),
      onLift: ({ id }) => lifts.push(id),
      onChange: (shared) => changes.push(shared),
    });
    ends.push(() => limits.stop());
    await vi.waitFor(() => expect(limits.available).toBe(true), soon);
    return { limits, bans, lifts, changes };
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

  it('never let more through than there is, however many gateways lease of it', async () => {
    const gateways = await Promise.all([gateway(), gateway(), gateway(), gateway()]);
    const [capacity, window] = [64, 2];
    const clients = Array.from({ length: 3 }, () => charge({ client: randomUUID(), capacity, window }));
    const seen = new Map(clients.map(({ client }) => [client, [] as number[]]));
    let asked = 0;
    let atOnce = 0;
    const ask = async (lane: number) => {
      const chosen = clients[asked++ % clients.length] as BucketCharge;
      const answer = gateways[lane % gateways.length]?.limits.take([chosen]);
      if (!(answer instanceof Promise)) atOnce++;
      const [state] = (await answer) ?? [];
      if (state?.allowed) seen.get(chosen.client)?.push(performance.now());
      await nextTurn();
    };
    // Until refills were spent too, some of them by leases.
    const enough = () => atOnce > 20 && [...seen.values()].every(({ length }) => length > capacity * 2);
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        while (!enough()) await ask(lane);
      }),
    );
    // Seconds count from a credit to the next: within a span that began just before one there is a second's worth more.
    const most = (ms: number) => capacity + (Math.ceil(ms / 1000) + 1) * (capacity / window);
    for (const times of seen.values()) {
      for (const [from, began] of times.entries()) {
        const spans = times.slice(from).map((ended, index) => index + 1 - most(ended - began));
        expect(Math.max(...spans)).toBeLessThanOrEqual(0);
      }
    }
  });

  it('do not fill a bucket beyond what leaves room for what is leased of it', async () => {
    const redis = new Redis(server.url, { protocol: 2 });
    ends.push(() => redis.disconnect());
    const capacity = 1_000_000;
    const quick = charge({ capacity, window: 1 });
    await inTime(async (client) => {
      const ask = async (asking: Partial<Asking>) => {
        const argument = argumentOf(quick, 'begins', { ...oneToken, ...asking });
        return (await redis.eval(bucketScript, 1, client, argument)) as [
          number,
          number,
          number,
          number,
          number,
        ];
      };
      const [, , , leased, span] = await ask({ wanted: 20 });
      expect(leased).toBe(20);
      let answer = await ask({});
      // Until the next credit.
      for (let before = capacity; answer[1] < before; answer = await ask({})) before = answer[1];
      if (answer[4] > span + 1) throw new Error('too late: the lease is over');
      expect(answer[1]).toBe(capacity - leased - 1);
      // What was spent needs no room, what comes back is there again.
      expect((await ask({ spent: 4, back: 16, span }))[1]).toBe(capacity - leased - 2 + 16);
    });
  });

  it('answer a busy client at once, and keep the last quarter of a bucket for who asks', async () => {
    const { limits } = await gateway();
    await inTime(async (client) => {
      const busy = charge({ client, capacity: 80 });
      const asked = { atOnce: 0, waited: 0 };
      const left: number[] = [];
      for (let turn = 0; turn < 80; turn += 1) {
        const answer = limits.take([busy]);
        asked[answer instanceof Promise ? 'waited' : 'atOnce']++;
        const [state] = (await answer) ?? [];
        if (!state?.allowed) throw new Error('no answer in time');
        left.push(state.parts / busy.window);
      }
      // What is told goes down one by one, whether a token was leased or asked for.
      expect(left).toEqual(left.map((_, turn) => 79 - turn));
      expect(asked.atOnce).toBeGreaterThan(40);
      expect(asked.waited).toBeGreaterThanOrEqual(20);
      expect(await taken(limits, busy)).toEqual([false]);
    });
  });

  it('ask for the next lease with what others ask, before somebody needs it', async () => {
    const { limits } = await gateway();
    await inTime(async (client) => {
      const busy = charge({ client, capacity: 1000 });
      for (let turn = 0; turn < 10; turn += 1) await taken(limits, busy);
      await taken(limits, charge({ client: randomUUID() }));
      expect(limits.take([busy])).not.toBeInstanceOf(Promise);
    });
  });

  it('ask for the next lease although nobody else asks', async () => {
    const { limits } = await gateway();
    const redis = new Redis(server.url, { protocol: 2 });
    ends.push(() => redis.disconnect());
    const questions = async () => {
      const counts = (await redis.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g);
      return Array.from(counts, ([, calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0);
    };
    const before = await questions();
    await inTime(async (client) => {
      for (let turn = 0; turn < 10; turn += 1) await taken(limits, charge({ client, capacity: 1000 }));
    });
    await vi.waitFor(async () => expect(await questions()).toBeGreaterThanOrEqual(before + 2), soon);
  });

  it('ask for each request of who is not known to be busy', async () => {
    const { limits } = await gateway();
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = limits.take([charge({ client: randomUUID(), capacity: 1000 })]);
      expect(answer).toBeInstanceOf(Promise);
      await answer;
    }
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

  it('tell one gateway that a client was blocked too often on all of them together', async () => {
    const [one, two] = [await gateway(), await gateway()];
    const policy = { banAfterBlocks: 3, banWindow: 60 };
    const address = randomUUID();
    await vi.waitFor(async () => {
      const began = [
        await one.limits.recordBlock(address, policy),
        await two.limits.recordBlock(address, policy),
      ];
      expect(began).toContain(true);
    }, soon);
  });

  it('ban on every gateway, also on one that comes later, until nobody is to be banned any more', async () => {
    const [one, two] = [await gateway(), await gateway()];
    const id = randomUUID();
    one.limits.ban({ id, address: '203.0.113.9', forMs: 600_000 });
    for (const { bans } of [one, two]) await vi.waitFor(() => expect(bans).toContain(id), soon);
    const latecomer = await gateway();
    await vi.waitFor(() => expect(latecomer.bans).toContain(id), soon);
    two.limits.endBans();
    const direct = new Redis(server.url, { protocol: 2 });
    ends.push(() => direct.disconnect());
    await vi.waitFor(async () => expect(await direct.hlen(names.bans)).toBe(0), soon);
  });

  it('leave the bans of gateways be that give them no ids', async () => {
    const direct = new Redis(server.url, { protocol: 2 });
    ends.push(() => direct.disconnect());
    const [client, id] = ['203.0.113.9', randomUUID()];
    const sealed = envelope.seal({ client, until: Date.now() + 600_000 }, 'ban');
    await direct.hset('portcullis:bans:1', envelope.nameOf(client), sealed);
    const one = await gateway();
    one.limits.ban({ id, address: client, forMs: 600_000 });
    const latecomer = await gateway();
    await vi.waitFor(() => expect(latecomer.bans).toContain(id), soon);
    expect(await direct.hgetBuffer('portcullis:bans:1', envelope.nameOf(client))).toEqual(sealed);
  });

  it('are told of a lift by a service, again and again for who is away, and the count begins anew', async () => {
    const one = await gateway();
    const policy = { banAfterBlocks: 3, banWindow: 600 };
    const ban = { id: randomUUID(), address: '203.0.113.44' };
    for (let block = 0; block < 2; block += 1) await one.limits.recordBlock(ban.address, policy);
    one.limits.ban({ ...ban, forMs: 600_000 });
    await vi.waitFor(() => expect(one.bans).toContain(ban.id), soon);
    const connection = createConnection({ url: server.url, log: silent });
    const current = (): Directive[] => [{ type: 'bans', began: [], lifted: [ban] }];
    // Only what a publisher asks of it.
    const plane = { current, subscribe: () => () => {} } as unknown as ControlPlane;
    const publisher = createConfigPublisher(connection, { plane, envelope, log: silent });
    connection.open();
    publisher.start();
    ends.push(
      () => publisher.stop(),
      () => connection.close(),
    );
    const times = () => one.lifts.filter((id) => id === ban.id).length;
    await vi.waitFor(() => expect(times()).toBeGreaterThan(1), soon);
    const latecomer = await gateway();
    await vi.waitFor(() => expect(latecomer.lifts).toContain(ban.id), soon);
    expect(latecomer.bans).not.toContain(ban.id);
    expect(await one.limits.recordBlock(ban.address, policy)).toBe(false);
  });
});
