import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { abandonedMs, takeOverEveryMs } from './batch-consumer.ts';
import { createRedisControlLink, createRedisGatewayLink } from './index.ts';
import { names } from './names.ts';
import {
  batchOf,
  type RedisServer,
  redisMissing,
  rememberingPlane,
  secret,
  startRedis,
} from './testing/index.ts';

const clusterKey = 'a cluster key of more than 32 characters';
const soon = { timeout: 20_000, interval: 10 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe.skipIf(redisMissing)(`the link over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let server: RedisServer;
  let direct: Redis;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(() => {
    direct = new Redis(server.url, { protocol: 2 });
    direct.on('error', () => {});
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await direct.flushall();
    direct.disconnect();
  });
  afterAll(() => server?.stop());

  function serve(service: ReturnType<typeof rememberingPlane>, key = clusterKey) {
    const link = createRedisControlLink({ url: server.url, clusterKey: key, log: silent });
    link.start(service.plane);
    ends.push(() => link.stop());
    return link;
  }
  function connect(key = clusterKey) {
    const link = createRedisGatewayLink({ url: server.url, clusterKey: key, log: silent });
    ends.push(() => link.stop());
    const versions: number[] = [];
    link.source.start((directive) => {
      if (directive.type === 'snapshot') versions.push(directive.snapshot.version);
    });
    return { link, versions };
  }

  it('hands each gateway the newest configuration, and each change to all', async () => {
    const service = rememberingPlane(3);
    serve(service);
    const gateways = [connect(), connect()];
    for (const { versions } of gateways) await vi.waitFor(() => expect(versions).toEqual([3]), soon);
    service.change(4);
    for (const { versions } of gateways) await vi.waitFor(() => expect(versions).toEqual([3, 4]), soon);
  });

  it('lets no older version replace a newer one, and tells the service that has the older one', async () => {
    const ahead = rememberingPlane(9);
    serve(ahead);
    await vi.waitFor(async () => expect(await direct.hget(names.configuration, 'version')).toBe('9'), soon);
    const behind = rememberingPlane(5);
    serve(behind);
    await vi.waitFor(() => expect(behind.overtaken).toContain(9), soon);
    behind.change(6);
    expect(await direct.hget(names.configuration, 'version')).toBe('9');
    const { versions } = connect();
    await vi.waitFor(() => expect(versions).toEqual([9]), soon);
  });

  it('finds a lost announcement by itself', async () => {
    const service = rememberingPlane(1);
    serve(service);
    const { versions } = connect();
    await vi.waitFor(() => expect(versions).toEqual([1]), soon);
    const other = new Redis(server.url, { protocol: 2 });
    ends.push(async () => other.disconnect());
    await other.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    service.change(2);
    await vi.waitFor(() => expect(versions).toEqual([1, 2]), soon);
  });

  it('shows a reader of the server neither keys nor what visitors sent', async () => {
    const service = rememberingPlane(1);
    service.refuse(true);
    serve(service);
    const { link, versions } = connect();
    await vi.waitFor(() => expect(versions).toEqual([1]), soon);
    await link.sink.deliver(batchOf('b'.repeat(40)));
    const held = JSON.stringify([
      await direct.hgetall(names.configuration),
      await direct.xrange(names.batches, '-', '+'),
    ]);
    expect(held.length).toBeGreaterThan(200);
    expect(held).not.toContain(secret);
    expect(held).not.toContain('b'.repeat(40));
  });

  it('takes nothing that another key sealed, and replaces it', async () => {
    serve(rememberingPlane(7), 'another cluster key, of an installation before this one');
    await vi.waitFor(async () => expect(await direct.hget(names.configuration, 'version')).toBe('7'), soon);
    const { versions } = connect();
    await direct.ping();
    expect(versions).toEqual([]);
    await Promise.all(ends.splice(0, 1).map((end) => end()));
    serve(rememberingPlane(2));
    await vi.waitFor(() => expect(versions).toEqual([2]), soon);
  });

  it('stores each batch once, and drops from the stream what is stored, and only that', async () => {
    const service = rememberingPlane(1);
    service.refuse(true);
    serve(service);
    const { link } = connect();
    await vi.waitFor(async () => {
      expect(await link.sink.deliver(batchOf('first'))).toEqual({ delivered: true });
    }, soon);
    await link.sink.deliver(batchOf('first'));
    await link.sink.deliver(batchOf('second'));
    // Longer than a trim takes to come round.
    await vi.waitFor(async () => expect(await direct.exists(names.stored)).toBe(1), soon);
    expect(await direct.xlen(names.batches)).toBeGreaterThanOrEqual(3);
    service.refuse(false);
    await vi.waitFor(() => expect(service.stored).toEqual(['first', 'second']), soon);
    await vi.waitFor(async () => expect(await direct.xlen(names.batches)).toBe(0), soon);
  });

  it('has another service store what a dead one left, within the 15 seconds that the guide tells', async () => {
    // A busy machine may be late, so no time is taken.
    expect(abandonedMs + takeOverEveryMs).toBeLessThanOrEqual(15_000);
    const dead = serve(rememberingPlane(1));
    await vi.waitFor(async () => expect(await direct.exists(names.memory)).toBe(1), soon);
    await dead.stop();
    const { link } = connect();
    await vi.waitFor(async () => {
      expect(await link.sink.deliver(batchOf('left'))).toEqual({ delivered: true });
    }, soon);
    const handed = await direct.xreadgroup('GROUP', 'services', 'dead', 'STREAMS', names.batches, '>');
    const [[, entries]] = handed as [[string, [string, string[]][]]];
    for (const [id] of entries)
      await direct.call('XCLAIM', names.batches, 'services', 'dead', 0, id, 'IDLE', abandonedMs);
    const service = rememberingPlane(1);
    serve(service);
    await vi.waitFor(() => expect(service.stored).toEqual(['left']), soon);
    await vi.waitFor(async () => expect(await direct.xlen(names.batches)).toBe(0), soon);
  });

  it('loses nothing when the server comes back without its memory', async () => {
    const service = rememberingPlane(1);
    service.refuse(true);
    const control = serve(service);
    const { link, versions } = connect();
    await vi.waitFor(() => expect(versions).toEqual([1]), soon);
    await link.sink.deliver(batchOf('before'));
    await server.restart();
    await vi.waitFor(async () => expect(await direct.xlen(names.batches)).toBe(1), soon);
    service.refuse(false);
    await vi.waitFor(() => expect(service.stored).toEqual(['before']), soon);
    await vi.waitFor(async () => {
      expect(await link.sink.deliver(batchOf('after'))).toEqual({ delivered: true });
    }, soon);
    await vi.waitFor(() => expect(service.stored).toEqual(['before', 'after']), soon);
    expect(await direct.hget(names.configuration, 'version')).toBe('1');
    expect(control.peers).toBeDefined();
  });

  it('sets aside what cannot be read, and goes on', async () => {
    const service = rememberingPlane(1);
    serve(service);
    await direct.xadd(names.batches, '*', 'batch', 'nonsense');
    const { link } = connect();
    await vi.waitFor(async () => {
      expect(await link.sink.deliver(batchOf('good'))).toEqual({ delivered: true });
    }, soon);
    await vi.waitFor(() => expect(service.stored).toEqual(['good']), soon);
    expect(await direct.xlen(names.unreadable)).toBe(1);
  });

  it('carries words between services, and not back to who spoke', async () => {
    const one = serve(rememberingPlane(1));
    const two = serve(rememberingPlane(1));
    const heard: string[] = [];
    one.peers.subscribe(() => heard.push('one'));
    two.peers.subscribe(() => heard.push('two'));
    await vi.waitFor(() => {
      one.peers.tell({ type: 'sessions-ended' });
      expect(heard).toContain('two');
    }, soon);
    expect(heard).not.toContain('one');
  });
});
