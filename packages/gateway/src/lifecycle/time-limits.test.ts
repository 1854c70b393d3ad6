import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { GeneralSettings } from '@portcullis/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionLimits } from '../sites/index.ts';
import {
  ask,
  certificateFor,
  type HttpUpstream,
  type StartedGateway,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';
const asBrowser = { host: '127.0.0.1', servername: host, rejectUnauthorized: false };

describe('time limits', () => {
  let upstream: HttpUpstream;
  let gateway: StartedGateway;

  /** In force by a reload, as an operator changes them. */
  beforeAll(async () => {
    upstream = await startUpstream((request, response) => {
      if (request.url === '/never') return;
      if (request.url !== '/drip') return void response.end('ok');
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    upstream.server.on('upgrade', (_request, socket: Socket) => {
      socket.on('error', () => undefined).on('end', () => socket.end());
      socket.resume();
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
      );
    });
    const sites = [{ domains: [host], backend_url: upstream.url, ssl: { enabled: true } }];
    const certificates = [await certificateFor([host])];
    gateway = await startGateway({ sites, certificates });
    const general = { headerTimeout: 1, keepAliveTimeout: 1, totalTimeout: 1, idleTimeout: 5 };
    gateway.configure({ sites, certificates, general });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  const doors = {
    clear: () => connect(gateway.port, '127.0.0.1'),
    TLS: () => connectTls({ ...asBrowser, port: gateway.httpsPort ?? 0, ALPNProtocols: ['http/1.1'] }),
  };
  const names = Object.keys(doors) as (keyof typeof doors)[];
  const head = `GET / HTTP/1.1\r\nHost: ${host}\r\n`;

  test.concurrent.each(names)('a head that does not end is cut off: %s', async (door) => {
    const socket = doors[door]();
    socket.write(`${head}X-Slow: `);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.concurrent.each(names)('a connection without a next request is closed: %s', async (door) => {
    const socket = doors[door]();
    socket.write(`${head}\r\n`);
    expect(await text(socket)).toMatch(/ok$/);
  });

  test.concurrent('so is one of HTTP/2', async () => {
    const session = connectHttp2(`https://127.0.0.1:${gateway.httpsPort}`, asBrowser);
    await once(session, 'close');
  });

  test.concurrent('a request that takes longer in all gets 504, and the upstream is let go', async () => {
    const answer = await ask(gateway.port, '/never', { headers: { Host: host } });
    expect(answer.status).toBe(504);
    const event = await gateway.sink.event(({ path }) => path === '/never');
    expect(event).toMatchObject({ status: 504, message: expect.stringContaining('Ended after 1 s') });
  });

  test.concurrent('an answer that never rests and never ends is cut off', async () => {
    await expect(ask(gateway.port, '/drip', { headers: { Host: host } })).rejects.toThrow('aborted');
    const event = await gateway.sink.event(({ path }) => path === '/drip');
    expect(event.status).toBe(200);
  });

  test.concurrent('a WebSocket may last, but not in silence', async () => {
    const key = 'dGhlIHNhbXBsZSBub25jZQ==';
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await once(socket, 'data');
    const switchedAt = performance.now();
    await once(socket, 'close');
    expect(performance.now() - switchedAt).toBeGreaterThan(4500);
  });
});

test('a client is given longer than an upstream, whatever the settings are', () => {
  const of = (general: object) => connectionLimits(GeneralSettings.parse(general));
  expect(connectionLimits()).toEqual({
    maxConnections: 10_000,
    headersTimeoutMs: 20_000,
    requestTimeoutMs: 320_000,
    keepAliveTimeoutMs: 65_000,
    idleTimeoutMs: 330_000,
  });
  expect(of({ idleTimeout: 5, requestTimeout: 300 }).idleTimeoutMs).toBe(330_000);
  expect(of({ idleTimeout: 3600 }).idleTimeoutMs).toBe(3_630_000);
});
