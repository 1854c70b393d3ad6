import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../log/index.ts';
import { createConnection } from './connection.ts';
import { createRedisControlLink, createRedisGatewayLink } from './index.ts';
import { names } from './names.ts';
import {
  batchOf,
  type Cable,
  type RedisServer,
  redisMissing,
  rememberingPlane,
  startCable,
  startRedis,
  startTlsRedis,
  type TlsRedisServer,
} from './testing/index.ts';

const clusterKey = 'a cluster key of more than 32 characters';
const soon = { timeout: 20_000, interval: 10 };
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
const missing = redisMissing ? ` (${redisMissing})` : '';

interface Place {
  readonly url: string;
  readonly ca?: string;
}

const ends: (() => unknown)[] = [];
async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

function serve(service: ReturnType<typeof rememberingPlane>, place: Place, log = silent) {
  const link = createRedisControlLink({ ...place, clusterKey, log });
  link.start(service.plane);
  ends.push(() => link.stop());
  return link;
}
function connect(place: Place) {
  const link = createRedisGatewayLink({ ...place, clusterKey, log: silent });
  link.source.start(() => {});
  ends.push(() => link.stop());
  const deliver = (id: string) => link.sink.deliver(batchOf(id));
  return {
    link,
    deliver,
    delivered: (id: string) =>
      vi.waitFor(async () => expect(await deliver(id)).toEqual({ delivered: true }), soon),
  };
}
const report = {
  ...{ gatewayId: 'one', productVersion: '0.1.0', startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ activeConnections: 0, requests: 0, intervalMs: 1000, perSite: [], upstreams: [] },
  ...{ spoolBytes: 0, memoryBytes: 1, cpuPercent: 1 },
};

describe.skipIf(redisMissing)(`events over a Redis in trouble${missing}`, () => {
  let server: RedisServer;
  let direct: Redis;
  const ask = (command: string, ...args: string[]) => direct.call(command, ...args);
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(() => {
    direct = new Redis(server.url, { protocol: 2 });
    direct.on('error', () => {});
  });
  afterEach(async () => {
    await endAll();
    await direct.flushall();
    direct.disconnect();
  });
  afterAll(() => server?.stop());
  const cableTo = async (end: string | number) => {
    const cable = await startCable(end);
    ends.push(() => cable.stop());
    return cable;
  };
  const over = (cable: Cable) => ({ url: `redis://127.0.0.1:${cable.port}/0` });

  it('are appended again where somebody emptied it', async () => {
    const service = rememberingPlane(1);
    const first = serve(service, server);
    const { link, delivered } = connect(server);
    await delivered('stored');
    await vi.waitFor(() => expect(service.stored).toEqual(['stored']), soon);
    await vi.waitFor(async () => expect(await direct.exists(names.memory)).toBe(1), soon);
    await first.stop();
    await delivered('emptied away');
    await direct.flushall();
    serve(service, server);
    await vi.waitFor(async () => {
      await link.sink.report(report);
      expect(service.stored).toEqual(['stored', 'emptied away']);
    }, soon);
  });

  it('make room on one whose memory is full, once they are stored', async () => {
    const service = rememberingPlane(1);
    service.refuse(true);
    serve(service, server);
    const { deliver, delivered } = connect(server);
    await delivered('before');
    await vi.waitFor(async () => expect(await direct.exists(names.memory)).toBe(1), soon);
    await ask('CONFIG', 'SET', 'maxmemory', '1');
    ends.push(() => ask('CONFIG', 'SET', 'maxmemory', '0'));
    expect(await deliver('too much')).toMatchObject({ retry: true, reason: expect.stringContaining('OOM') });
    service.refuse(false);
    await vi.waitFor(async () => expect(await direct.xlen(names.batches)).toBe(0), soon);
    await ask('CONFIG', 'SET', 'maxmemory', '0');
    await delivered('after');
    await vi.waitFor(() => expect(service.stored).toEqual(['before', 'after']), soon);
  });

  it('go to the new one where it became a replica of that', async () => {
    const next = await startRedis();
    ends.push(() => next.stop());
    const cable = await cableTo(server.socket);
    const { deliver, delivered } = connect(over(cable));
    await delivered('before');
    await ask('REPLICAOF', '127.0.0.1', '1');
    ends.push(() => ask('REPLICAOF', 'NO', 'ONE'));
    cable.leadTo(next.socket);
    await vi.waitFor(async () => expect(await deliver('after')).toEqual({ delivered: true }), soon);
    const service = rememberingPlane(1);
    serve(service, next);
    await vi.waitFor(() => expect(service.stored.toSorted()).toEqual(['after', 'before']), soon);
  });

  it('are stored but for the one that the database cannot hold, which is set aside', async () => {
    const service = rememberingPlane(1);
    service.refuse(true);
    serve(service, server);
    const { delivered } = connect(server);
    for (const id of ['one', 'bad', 'two']) await delivered(id);
    service.refuse(false);
    await vi.waitFor(() => expect(service.stored.toSorted()).toEqual(['one', 'two']), soon);
    await vi.waitFor(async () => expect(await direct.xlen(names.batches)).toBe(0), soon);
    const [aside] = await direct.xrange(names.unreadable, '-', '+');
    expect(aside?.[1]).toContain('a value is out of range');
  });

  it('are heard of as soon as it gives the right to listen, and the log says that it did not', async () => {
    await ask('ACL', 'SETUSER', 'deaf', 'on', '>password', '~portcullis:*', '+@all', 'resetchannels');
    ends.push(() => ask('ACL', 'DELUSER', 'deaf'));
    const url = server.url.replace('redis://', 'redis://deaf:password@');
    const said: string[] = [];
    const error = (message: string, fields?: unknown) =>
      void said.push(`${message} ${JSON.stringify(fields)}`);
    const service = rememberingPlane(1);
    const control = serve(service, { url }, { ...silent, error });
    await vi.waitFor(() => expect(said.join()).toMatch(/refuses a subscription.*NOPERM/), soon);
    expect(control.peers.hearing).toBe(false);
    // What docs/guide/many-machines.md asks for.
    await ask('ACL', 'SETUSER', 'deaf', '&portcullis:*', '&portcullis:reports:*');
    await vi.waitFor(() => expect(control.peers.hearing).toBe(true), soon);
    await connect({ url }).delivered('by the same user');
    await vi.waitFor(() => expect(service.stored).toEqual(['by the same user']), soon);
  });

  it('wait for no answer that does not come, and for one that comes slowly', async () => {
    const cable = await cableTo(server.socket);
    const connection = createConnection({ ...over(cable), log: silent });
    ends.push(() => connection.close());
    const { redis, patiently } = connection;
    connection.open();
    await vi.waitFor(() => expect(redis.status).toBe('ready'), soon);
    await redis.set('large', 'x'.repeat(200_000));
    cable.slow(2000);
    expect(await patiently(redis.get('large'), 400)).toHaveLength(200_000);
    expect(cable.made()).toBe(1);
    cable.cut();
    await expect(patiently(redis.get('large'), 400)).rejects.toThrow();
  });
});

describe.skipIf(redisMissing)(`a service whose cable to Redis was cut${missing}`, () => {
  let plain: RedisServer;
  let secure: TlsRedisServer;
  beforeAll(async () => {
    [plain, secure] = await Promise.all([startRedis(), startTlsRedis()]);
  });
  afterEach(endAll);
  afterAll(() => Promise.all([plain?.stop(), secure?.stop()]));

  it.for(['redis', 'rediss'])(
    'stores what waits within seconds of it being whole again: %s',
    async (scheme) => {
      const tls = scheme === 'rediss' ? { ca: secure.certificate } : undefined;
      const place = { url: tls ? secure.url : plain.url, ...tls };
      const cable = await startCable(tls ? secure.port : plain.socket);
      ends.push(() => cable.stop());
      const direct = new Redis(place.url, { protocol: 2, ...(tls && { tls }) });
      ends.push(() => direct.disconnect());
      const service = rememberingPlane(1);
      serve(service, { url: `${scheme}://127.0.0.1:${cable.port}/0`, ...tls });
      const { delivered } = connect(place);
      await delivered('before');
      await vi.waitFor(() => expect(service.stored).toEqual(['before']), soon);
      // One commands, one listens, one reads.
      await vi.waitFor(() => expect(cable.made()).toBe(3), soon);
      const waits = /flags=b.* cmd=xreadgroup/;
      await vi.waitFor(async () => expect(String(await direct.call('CLIENT', 'LIST'))).toMatch(waits), soon);
      cable.cut();
      // The service comes to see that nobody answers, and tries anew.
      await vi.waitFor(() => expect(cable.made()).toBeGreaterThan(3), soon);
      await delivered('meanwhile');
      cable.mend();
      const withinSeconds = { ...soon, timeout: 12_000 };
      for (const id of ['next', 'one more', 'last']) {
        await delivered(id);
        await vi.waitFor(() => expect(service.stored).toContain(id), withinSeconds);
      }
      expect(service.stored).toContain('meanwhile');
    },
  );
});
