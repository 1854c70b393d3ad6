import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ask,
  certificateFor,
  exchangesDownTo,
  type HttpUpstream,
  type StartedGateway,
  startGateway,
  startUpstream,
} from '../testing/index.ts';
import { type Guest, Places } from './places.ts';

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
const film = Buffer.alloc(4_000_000, 'f');
/** Its upstream is done with it at once, whoever reads it. */
const picture = Buffer.alloc(20_000, 'i');

const answers: Record<string, (response: ServerResponse) => void> = {
  '/small': (response) => void response.end('ok'),
  '/page': (response) => void response.end(page),
  '/film': (response) => void response.end(film),
  '/picture': (response) => void response.end(picture),
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
 * @param further upstreams of the site beside the first, which has the weight 100
 */
async function before({
  connections = places,
  connectTimeout = 30,
  further = [] as { url: string; weight?: number }[],
  maxHeldBytes = 64 * 1024 * 1024,
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
          upstream: { weight: 100, further },
          security_level: 'off',
          ssl: { enabled: true },
        },
      ],
    },
    { maxUpstreamConnections: connections, maxHeldBytes },
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
  vi.useRealTimers();
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

/** @param initialWindowSize bytes of each answer that fit */
function session({ gateway }: Stand, initialWindowSize: number): ClientHttp2Session {
  const opened = connectHttp2(`https://127.0.0.1:${gateway.httpsPort}`, {
    servername: host,
    rejectUnauthorized: false,
    settings: { initialWindowSize },
  });
  open.push(opened.on('error', () => undefined));
  return opened;
}

/** A connection over which nobody gets what it asks for: no byte of an answer fits its window. */
const blind = (stand: Stand) => session(stand, 0);

const fetching = (connection: ClientHttp2Session, client: string, path: string) =>
  connection.request({ ':path': path, ':authority': host, 'x-forwarded-for': client });

const cutOf = (streams: readonly ClientHttp2Stream[]) =>
  Promise.race(
    streams.map(
      (stream) => new Promise((resolve) => void stream.on('error', () => undefined).on('close', resolve)),
    ),
  );

/** Takes some of an answer, then nothing. */
async function read(stream: ClientHttp2Stream, bytes: number): Promise<void> {
  let left = bytes;
  for (stream.resume(); left > 0; left -= String((await once(stream, 'data'))[0]).length);
  stream.pause();
}

describe('when all connections to an upstream are taken', () => {
  test('those whose clients read nothing give way', async () => {
    await using stand = await before();
    const session = blind(stand);
    const streams = crowd.map((client) => fetching(session, client, '/page'));
    const cut = cutOf(streams);
    await reached(stand, places);
    expect(await visit(stand)).toMatchObject({ status: 200, body: 'ok' });
    await cut;
    const event = await stand.gateway.sink.event((one) => one.kind === 'upstream_error');
    expect(event.message).toMatch(/others needed its connection, which waited \d+ s for the client \(within/);
    expect(streams.filter((stream) => stream.closed)).toHaveLength(1);
  });

  test('a download that is read slowly stays, however long its client has paused', async () => {
    await using stand = await before();
    const slow = fetching(session(stand, 65_535), '10.0.0.8', '/film');
    await read(slow, 50_000);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await read(slow, 200_000);
    const connection = blind(stand);
    const others = crowd.slice(1).map((client) => fetching(connection, client, '/page'));
    const cut = cutOf(others);
    await reached(stand, places);
    expect(await visit(stand)).toMatchObject({ status: 200, body: 'ok' });
    await cut;
    expect(slow.closed).toBe(false);
  });

  test('who reads a little after long pauses gives way all the same', async () => {
    await using stand = await before();
    const connection = session(stand, 65_535);
    const streams = crowd.map((client) => fetching(connection, client, '/film'));
    const cut = cutOf(streams);
    await Promise.all(streams.map((stream) => read(stream, 50_000)));
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(60_000);
    await Promise.all(streams.map((stream) => read(stream, 200_000)));
    const visitorIn = visit(stand);
    await taken(stand);
    vi.advanceTimersByTime(10_000);
    expect(await visitorIn).toMatchObject({ status: 200, body: 'ok' });
    await cut;
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

  test('an upstream that has a connection free is asked before one waits for another', async () => {
    await using other = await startUpstream((_request, response) => void response.end('other'));
    await using stand = await before({ connections: 1, further: [{ url: other.url, weight: 1 }] });
    send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    for (let sent = 0; sent < 4; sent++) {
      expect(await visit(stand)).toMatchObject({ status: 200, body: 'other' });
    }
    expect(stand.gateway.sink.events).toEqual([]);
  });

  test('another upstream is asked where no more may wait', async () => {
    const busy: ServerResponse[] = [];
    await using other = await startUpstream((_request, response) => void busy.push(response));
    await using stand = await before({ connections: 1, further: [{ url: other.url, weight: 1 }] });
    send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    send(stand, '10.0.0.2', 'GET /never');
    await once(other.server, 'request');
    send(stand, '10.0.0.3', 'GET /small');
    await taken(stand);
    const body = Buffer.alloc(100_000);
    const headers = { Host: host, 'X-Forwarded-For': visitor };
    const asked = ask(stand.gateway.port, '/', { method: 'POST', headers, body });
    await taken(stand);
    const next = once(other.server, 'request');
    busy[0]?.end('first');
    await next;
    busy[1]?.end('second');
    expect(await asked).toMatchObject({ status: 200, body: 'second' });
    expect(stand.gateway.sink.events).toEqual([]);
  });

  test('one that is out of the rotation is not asked for want of a connection', async () => {
    const further = [{ url: 'http://127.0.0.1:9', weight: 1 }];
    await using stand = await before({ connections: 1, connectTimeout: 1, further });
    send(stand, '10.0.0.1', 'GET /never');
    await reached(stand, 1);
    const answers = [];
    // Three failures take it out.
    for (let sent = 0; sent < 4; sent++) answers.push((await visit(stand)).status);
    expect(answers).toEqual([503, 503, 503, 503]);
  });

  test('a request that is tried again keeps its place', async () => {
    await using stand = await before({ connections: 1 });
    await visit(stand);
    const retried = visit(stand, '/never');
    await reached(stand, 2);
    const waiting = visit(stand, '/small', '10.0.0.2');
    await taken(stand);
    // As a connection ends that was kept for too long.
    stand.upstream.requests[1]?.socket.destroy();
    await reached(stand, 3);
    expect(stand.upstream.requests.map(({ url }) => url)).toEqual(['/small', '/never', '/never']);
    stand.upstream.server.closeAllConnections();
    expect([(await retried).status, (await waiting).status]).toEqual([502, 200]);
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

test('a guest that comes is let in without a look at all others', () => {
  const places = new Places(1000, 1000);
  let looks = 0;
  const guests = Array.from(
    { length: 1000 },
    (_, at): Guest => ({
      standing: undefined,
      get client() {
        looks++;
        return `10.0.${at >> 8}.${at & 255}`;
      },
      begin: () => undefined,
      stalledSince: () => undefined,
      turnAway: () => expect.unreachable(),
    }),
  );
  for (const guest of guests) places.enter(guest);
  expect(looks).toBeLessThan(10 * guests.length);
  for (const guest of guests) places.leave(guest);
});

test('what clients leave unread of answers that are whole is bounded, those that hold it for longest give way', async () => {
  await using stand = await before({ maxHeldBytes: 64 * 1024 });
  const connection = blind(stand);
  const streams = crowd.slice(5).map((client) => fetching(connection, client, '/picture'));
  const cut = cutOf(streams);
  await reached(stand, streams.length);
  const more = fetching(connection, '10.0.0.6', '/picture');
  const least = fetching(connection, '10.0.0.7', '/small');
  await cut;
  const event = await stand.gateway.sink.event((one) => one.kind === 'upstream_error');
  expect(event.message).toContain('others needed the memory for answers that their clients have not read');
  expect([streams[0]?.closed, streams[1]?.closed, more.closed, least.closed]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
