import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  exchangesDownTo,
  type HttpUpstream,
  type StartedGateway,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';
const places = 8;
/** Of five clients, as many as there are places: the first has its share and more, which is half of all. */
const crowd = [
  '10.0.0.1',
  '10.0.0.1',
  '10.0.0.1',
  '10.0.0.1',
  '10.0.0.2',
  '10.0.0.3',
  '10.0.0.4',
  '10.0.0.5',
];
const visitor = '10.0.0.9';
const page = Buffer.alloc(400_000, 'p');

const answers: Record<string, (response: ServerResponse) => void> = {
  '/small': (response) => void response.end('ok'),
  '/page': (response) => void response.end(page),
  '/events': (response) => void response.write('data: hello\n\n'),
  '/never': () => undefined,
};

interface Stand extends AsyncDisposable {
  readonly upstream: HttpUpstream;
  readonly gateway: StartedGateway;
}

/**
 * @param connections that the upstream is asked over at the same time
 * @param connectTimeout seconds that somebody may wait for one
 * @param further upstreams of the site beside the first
 */
async function before({
  connections = places,
  connectTimeout = 30,
  further = [] as { url: string }[],
} = {}): Promise<Stand> {
  const upstream = await startUpstream((request, response) => answers[request.url ?? '']?.(response));
  const gateway = await startGateway(
    {
      certificates: [await certificateFor([host])],
      general: { connectTimeout },
      security: { trustedProxies: ['127.0.0.1'] },
      sites: [
        {
          id: 'shop',
          domains: [host],
          backend_url: upstream.url,
          upstream: { further },
          security_level: 'off',
          ssl: { enabled: true },
        },
      ],
    },
    { maxUpstreamConnections: connections },
  );
  return {
    upstream,
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const open: { destroy(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});

/** Resolves once so many requests have reached the upstream. */
async function reached({ upstream }: Stand, count: number): Promise<void> {
  while (upstream.requests.length < count) await once(upstream.server, 'request');
}

/** A client that says what it likes, on a connection of its own. */
function send({ gateway }: Stand, client: string, line: string, rest = '\r\n'): Socket {
  const socket = connect(gateway.port, '127.0.0.1');
  open.push(socket.on('error', () => undefined));
  socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${client}\r\n${rest}`);
  return socket;
}

/** Resolves once the gateway has read what was sent before: it answers itself to what was sent after that. */
async function taken({ gateway }: Stand): Promise<void> {
  for (let at = 0; at < 2; at++) await ask(gateway.port, '/', { headers: { Host: 'nobody.example.com' } });
}

const visit = ({ gateway }: Stand, path = '/small', client = visitor) =>
  ask(gateway.port, path, { headers: { Host: host, 'X-Forwarded-For': client } });

/** A connection over which nobody gives what it asks for: no byte of an answer fits its window. */
function blind({ gateway }: Stand): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${gateway.httpsPort}`, {
    servername: host,
    rejectUnauthorized: false,
    settings: { initialWindowSize: 0 },
  });
  open.push(session.on('error', () => undefined));
  return session;
}

describe('when all connections to an upstream are taken', () => {
  test('those whose clients read nothing give way', async () => {
    await using stand = await before();
    const session = blind(stand);
    const streams = crowd.map((client) =>
      session.request({ ':path': '/page', ':authority': host, 'x-forwarded-for': client }),
    );
    const cut = streams.map(
      (stream) => new Promise((resolve) => void stream.on('error', () => undefined).on('close', resolve)),
    );
    await reached(stand, places);
    expect(await visit(stand)).toMatchObject({ status: 200, body: 'ok' });
    await Promise.race(cut);
    const event = await stand.gateway.sink.event((one) => one.kind === 'upstream_error');
    expect(event.message).toMatch(/others needed its connection, which waited \d+ s for the client \(within/);
    expect(streams.filter((stream) => stream.closed)).toHaveLength(1);
  });

  test('those whose clients hardly send give way, and are told', async () => {
    await using stand = await before();
    const told = crowd.map((client) => {
      const socket = send(stand, client, 'POST /never', 'Content-Length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 50);
      return once(socket, 'data').finally(() => clearInterval(drip));
    });
    await reached(stand, places);
    expect((await visit(stand)).status).toBe(200);
    expect(String((await Promise.race(told))[0])).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 2\r\n/);
  });

  test.each([
    ['event streams that are read', '/events'],
    ['long polls', '/never'],
  ])('%s stay, and who waits too long is told', async (_name, path) => {
    await using stand = await before({ connectTimeout: 3 });
    const sockets = crowd.map((client) => send(stand, client, `GET ${path}`).resume());
    await reached(stand, places);
    const startedAt = performance.now();
    const answer = await visit(stand);
    expect(performance.now() - startedAt).toBeGreaterThan(3000);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    const event = await stand.gateway.sink.event((one) => one.status === 503);
    expect(event.message).toBe(`Upstream ${stand.upstream.url}: no connection was free for 3 s`);
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
    sockets[0]?.destroy();
    expect((await visit(stand)).status).toBe(200);
  });

  test('who waits and leaves is forgotten', async () => {
    await using stand = await before({ connections: 2 });
    const first = send(stand, '10.0.0.1', 'GET /never');
    const second = send(stand, '10.0.0.2', 'GET /never');
    await reached(stand, 2);
    const leaver = send(stand, '10.0.0.3', 'POST /left', 'Content-Length: 6\r\n\r\nunread');
    const next = visit(stand);
    await taken(stand);
    leaver.destroy();
    await taken(stand);
    first.destroy();
    expect((await next).status).toBe(200);
    expect(stand.upstream.requests.map(({ url }) => url)).toEqual(['/never', '/never', '/small']);
    second.destroy();
    await exchangesDownTo(0);
  });

  test('no more wait than there are places', async () => {
    await using stand = await before({ connections: 1, connectTimeout: 3 });
    send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    const waiting = visit(stand, '/small', '10.0.0.2');
    await taken(stand);
    const answer = await visit(stand);
    expect(answer.status).toBe(503);
    const event = await stand.gateway.sink.event((one) => one.status === 503);
    expect(event.message).toContain('all 1 connections are taken, and as many requests wait');
    expect((await waiting).status).toBe(503);
  });

  test('another upstream is asked where no more may wait', async () => {
    await using other = await startUpstream((_request, response) => void response.end('other'));
    await using stand = await before({ connections: 1, further: [{ url: other.url }] });
    send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    expect((await visit(stand)).body).toBe('other');
    send(stand, '10.0.0.2', 'GET /small');
    await taken(stand);
    for (let sent = 0; sent < 4; sent++) {
      expect(await visit(stand)).toMatchObject({ status: 200, body: 'other' });
    }
    const asked = await ask(stand.gateway.port, '/', {
      method: 'POST',
      headers: { Host: host, 'X-Forwarded-For': visitor },
      body: Buffer.alloc(100_000),
    });
    expect(asked).toMatchObject({ status: 200, body: 'other' });
    expect(stand.gateway.sink.events).toEqual([]);
  });

  test('who waits is served although its site goes elsewhere meanwhile', async () => {
    await using stand = await before({ connections: 1 });
    const first = send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    const waiting = visit(stand);
    await taken(stand);
    await using other = await startUpstream();
    stand.gateway.configure({ sites: [{ id: 'shop', domains: [host], backend_url: other.url }] });
    first.destroy();
    expect(await waiting).toMatchObject({ status: 200, body: 'ok' });
  });
});

test('once half of the connections are taken, a client that has its share waits and others do not', async () => {
  await using stand = await before();
  const greedy = Array.from({ length: 6 }, () => send(stand, '10.0.0.1', 'GET /never'));
  await reached(stand, places / 2);
  await taken(stand);
  expect((await visit(stand)).status).toBe(200);
  expect(stand.upstream.requests.map(({ url }) => url)).toEqual([
    ...['/never', '/never', '/never', '/never'],
    '/small',
  ]);
  const next = once(stand.upstream.server, 'request');
  greedy[0]?.destroy();
  await next;
});
