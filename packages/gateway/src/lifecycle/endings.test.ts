import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  certificateFor,
  data,
  exchangesDownTo,
  type FrameConnection,
  flag,
  frameType,
  headers,
  openHttp2,
  openSockets,
  rstStream,
  type StartedGateway,
  type StartedUpstream,
  socketsDownTo,
  speak,
  startGateway,
  startRawUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';
/** a site whose bodies stream from the first byte on */
const uninspected = 'plain.example.com';
/** a site whose upstream is not there */
const down = 'down.example.com';
let upstream: StartedUpstream;
let gateway: StartedGateway;
let quiet = 0;
/** request lines that reached the upstream, and when one came */
const seen: string[] = [];
let arrived = Promise.withResolvers<void>();

const answers: Record<string, (socket: Socket) => void> = {
  '/never': () => undefined,
  '/endless': (socket) => {
    const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const write = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.on('drain', write);
    write();
  },
  '/gone': (socket) => void socket.destroy(),
  '/half-head': (socket) => void socket.end('HTTP/1.1 200 OK\r\nX-Half'),
  '/short': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'),
  '/short-chunks': (socket) =>
    void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n'),
  '/broken-chunks': (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\nzz\r\n'),
  '/nonsense': (socket) => void socket.write('nonsense\r\n\r\n'),
  '/both': (socket) =>
    void socket.write(
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ),
  '/lengths': (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'),
  '/switched': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
  '/huge-head': (socket) => void socket.write(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(100_000)}\r\n\r\n`),
  '/odd-header': (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nX-Odd: a\x01b\r\nContent-Length: 2\r\n\r\nok'),
  '/bare-lf': (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nX-Odd: a\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok'),
  '/extra': (socket) =>
    void socket.write(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison',
    ),
  '/refuses-early': (socket) =>
    void socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'),
};

beforeAll(async () => {
  upstream = await startRawUpstream((socket, bytes) => {
    const line = /^(\S+ (\S+)) HTTP\/1\.1\r\n/.exec(bytes.toString('latin1'));
    if (!line) return;
    seen.push(line[1] ?? '');
    arrived.resolve();
    answers[line[2] ?? '']?.(socket);
  });
  gateway = await startGateway({
    certificates: [await certificateFor([host, uninspected])],
    sites: [
      { domains: [host], backend_url: upstream.url, ssl: { enabled: true } },
      { domains: [uninspected], backend_url: upstream.url, ssl: { enabled: true }, security_level: 'off' },
      { domains: [down], ssl: { enabled: true } },
    ],
  });
  quiet = openSockets();
});

afterAll(async () => {
  await exchangesDownTo(0);
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

/** @returns the request lines since the last call, once every connection of theirs is closed */
async function afterwards(): Promise<string[]> {
  await socketsDownTo(quiet);
  arrived = Promise.withResolvers();
  return seen.splice(0);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}`;

describe('an upstream that ends badly', () => {
  const whole = /\r\n0\r\n\r\n$/;
  test.each<[name: string, path: string, client: RegExp, times: number]>([
    // A kept connection may have gone stale: a GET is tried once more, on a fresh one.
    ['closes without an answer', '/gone', /^HTTP\/1\.1 502 /, 2],
    ['closes within its head', '/half-head', /^HTTP\/1\.1 502 /, 2],
    ['speaks no HTTP', '/nonsense', /^HTTP\/1\.1 502 /, 1],
    ['says Content-Length beside Transfer-Encoding', '/both', /^HTTP\/1\.1 502 /, 1],
    ['says two Content-Lengths', '/lengths', /^HTTP\/1\.1 502 /, 1],
    ['switches protocols unasked', '/switched', /^HTTP\/1\.1 502 /, 2],
    ['has a control character in its head', '/odd-header', /^HTTP\/1\.1 502 /, 1],
    ['has a bare LF in its head', '/bare-lf', /^HTTP\/1\.1 502 /, 1],
    ['sends a head without measure', '/huge-head', /^HTTP\/1\.1 502 /, 1],
    [
      'closes within a body of known length',
      '/short',
      /^HTTP\/1\.1 200 [\s\S]*Content-Length: 100\r\n[\s\S]*part$/,
      1,
    ],
    ['closes within a chunked body', '/short-chunks', /^HTTP\/1\.1 200 [\s\S]*part\r\n$/, 1],
    ['breaks its chunks', '/broken-chunks', /^HTTP\/1\.1 200 [\s\S]*part\r\n$/, 1],
  ])('%s: the client cannot take it for a whole answer', async (_name, path, client, times) => {
    const answer = await speak(gateway.port, get(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(answer).toMatch(client);
    if (answer.startsWith('HTTP/1.1 200')) expect(answer).not.toMatch(whole);
    expect(await afterwards()).toEqual(Array.from({ length: times }, () => `GET ${path}`));
  });

  test.each(['/short', '/short-chunks', '/broken-chunks'])(
    '%s over HTTP/2 resets the stream',
    async (path) => {
      const connection = await openHttp2(gateway.httpsPort ?? 0, host);
      await connection.send(request(path));
      expect(await connection.outcome()).toBe('200');
      const reset = await connection.frame(({ type }) => type === frameType.rstStream);
      expect(reset?.payload.readUInt32BE(0)).toBe(2);
      await connection.end();
      expect(await afterwards()).toEqual([`GET ${path}`]);
    },
  );

  test('an answer behind the answer is nobody’s', async () => {
    const answers = [];
    for (let at = 0; at < 2; at++) {
      answers.push(
        await speak(gateway.port, get('/extra').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
      );
    }
    for (const answer of answers) expect(answer).toMatch(/\r\n\r\nok$/);
    expect(await afterwards()).toEqual(['GET /extra', 'GET /extra']);
  });

  test('an upstream that answers before it has the body is heard', async () => {
    const answer = await speak(
      gateway.port,
      post('/refuses-early', `Content-Length: 500000\r\nConnection: close\r\n\r\n${'x'.repeat(200_000)}`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*no$/);
    expect(await afterwards()).toEqual(['POST /refuses-early']);
  });
});

describe('a client that leaves', () => {
  test.each<[name: string, bytes: string, reached: string[]]>([
    ['within its head', 'GET /never HTTP/1.1\r\nHost: shop', []],
    ['within a small upload', post('/never', 'Content-Length: 1000\r\n\r\npart'), []],
    ['within a small chunked upload', post('/never', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n'), []],
    ['within the inspected part of a large upload', post('/never', 'Content-Length: 900000\r\n\r\npart'), []],
    [
      'before it sends what it announced',
      post('/never', 'Expect: 100-continue\r\nContent-Length: 9\r\n\r\n'),
      [],
    ],
    [
      'behind the inspected part of a large upload',
      post('/never', `Content-Length: 900000\r\n\r\n${'x'.repeat(200_000)}`),
      ['POST /never'],
    ],
    ['before the answer', get('/never'), ['GET /never']],
    ['within an answer that it does not read', get('/endless'), ['GET /endless']],
  ])('%s frees everything', async (_name, bytes, reached) => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(bytes, resolve));
    if (reached.length > 0) await arrived.promise;
    if (bytes.includes('/endless')) await once(socket, 'readable');
    else if (bytes.includes('Expect')) await once(socket, 'data');
    socket.destroy();
    expect(await afterwards()).toEqual(reached);
  });

  const reset = (connection: FrameConnection) => connection.send(rstStream(1));
  const leave = (connection: FrameConnection) => connection.end();
  test.each<[name: string, frames: Buffer[], go: typeof reset, reached: string[]]>([
    ['within a small upload', [request('/never', 'POST'), data(1, 'part', 0)], leave, []],
    [
      'within a large upload',
      [
        request('/never', 'POST', uninspected),
        ...Array.from({ length: 4 }, () => data(1, 'x'.repeat(16_000), 0)),
      ],
      leave,
      ['POST /never'],
    ],
    ['before the answer', [request('/never')], leave, ['GET /never']],
    ['within an answer that it does not read', [request('/endless')], leave, ['GET /endless']],
    ['by a reset within a small upload', [request('/never', 'POST'), data(1, 'part', 0)], reset, []],
    ['by a reset before the answer', [request('/never')], reset, ['GET /never']],
    ['by a reset before the answer to HEAD', [request('/never', 'HEAD')], reset, ['HEAD /never']],
    ['by a reset within an answer that it does not read', [request('/endless')], reset, ['GET /endless']],
  ])('over HTTP/2 %s frees everything', async (_name, frames, go, reached) => {
    const connection = await openHttp2(gateway.httpsPort ?? 0, host);
    await connection.send(...frames);
    if (reached.length > 0) await arrived.promise;
    if (reached.includes('GET /endless')) await connection.outcome();
    await go(connection);
    await connection.end();
    expect(await afterwards()).toEqual(reached);
  });

  test.each([
    ['a refusal that came before its body was read', host, 403],
    ['the failure of an upstream that read nothing of its body', down, 502],
  ])('over HTTP/2 behind %s frees everything', async (_name, authority, status) => {
    const session = connectHttp2(`https://127.0.0.1:${gateway.httpsPort}`, {
      servername: host,
      rejectUnauthorized: false,
    });
    const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    const stream = session.request({
      ':method': 'POST',
      ':path': authority === host ? attack : '/',
      ':authority': authority,
    });
    stream.end(Buffer.alloc(300_000));
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(answer[':status']).toBe(status);
    await once(stream.resume(), 'close');
    await exchangesDownTo(0);
    session.destroy();
    await afterwards();
  });

  test('closing its half is leaving, as nginx has it', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.end(get('/never'));
    await once(socket.resume(), 'close');
    await afterwards();
  });
});

function request(path: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', authority = host): Buffer {
  const fields = [
    [':method', method],
    [':scheme', 'https'],
    [':authority', authority],
    [':path', path],
  ] as const;
  return headers(1, fields, method === 'POST' ? flag.endHeaders : flag.endHeaders | flag.endStream);
}
