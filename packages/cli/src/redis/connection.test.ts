import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ConnectionOptions, createConnection } from './connection.ts';
import { redisMissing, startRedis, startTlsRedis, type TlsRedisServer } from './testing/index.ts';

const soon = { timeout: 20_000, interval: 10 };

describe.skipIf(redisMissing)(`Redis over TLS${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let server: TlsRedisServer;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    server = await startTlsRedis();
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  afterAll(() => server?.stop());

  function connect(options: Partial<ConnectionOptions>) {
    const told: string[] = [];
    const tell = (message: string, fields?: unknown) =>
      void told.push(`${message} ${JSON.stringify(fields)}`);
    const log = { info: tell, warn: tell, error: tell };
    const connection = createConnection({ url: server.url, log, tells: true, ...options });
    ends.push(() => connection.close());
    connection.open();
    return { connection, told };
  }

  it('is spoken to where the operator names its authority', async () => {
    const { connection } = connect({ ca: server.certificate });
    await vi.waitFor(() => expect(connection.redis.status).toBe('ready'), soon);
    expect(await connection.redis.ping()).toBe('PONG');
  });

  it('is told nothing where nobody known vouches for it, and the log says so', async () => {
    const { connection, told } = connect({});
    await vi.waitFor(() => expect(told.join()).toMatch(/Redis is away.*self-signed certificate/), soon);
    expect(connection.redis.status).not.toBe('ready');
  });

  it('is told nothing where its certificate is for another name', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost');
    const { told } = connect({ url, ca: server.certificate });
    await vi.waitFor(() => expect(told.join()).toMatch(/Redis is away.*localhost/), soon);
  });
});

describe.skipIf(redisMissing)(`a connection to Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  it('fails what was under way when it breaks, so that nobody waits for ever', async () => {
    const server = await startRedis();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const connection = createConnection({ url: server.url, log });
    try {
      const ready = once(connection.redis, 'ready');
      connection.open();
      await ready;
      server.freeze();
      const failed = expect(connection.redis.get('anything')).rejects.toThrow();
      await server.kill();
      await failed;
      const again = once(connection.redis, 'ready');
      await server.restart();
      await again;
      expect(await connection.redis.get('anything')).toBeNull();
    } finally {
      connection.close();
      await server.stop();
    }
  });
});
