import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  certificateFor,
  exchangesDownTo,
  type StartedGateway,
  type StartedUpstream,
  speak,
  startGateway,
  startRawUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';

/** What upstreams say, by path. Each is more than the client may be told, or in another form. */
const answers: Record<string, string> = {
  '/204-length': 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n',
  '/205-body': 'HTTP/1.1 205 Reset Content\r\nContent-Length: 3\r\n\r\nabc',
  '/named-hop':
    'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Inner, Content-Length\r\nX-Inner: secret\r\nContent-Length: 2\r\n\r\nok',
  '/settings': 'HTTP/1.1 200 OK\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2\r\n\r\nok',
  '/twice':
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: text/plain\r\nETag: "a"\r\nETag: "b"\r\nContent-Length: 2\r\n\r\nok',
  '/trailers':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nSet-Cookie: admin=1\r\nCache-Control: public\r\nHost: evil.test\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n',
  '/600': 'HTTP/1.1 600 Odd\r\nContent-Length: 2\r\nX-Inner: secret\r\n\r\nok',
  '/gzip-coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  '/identity-coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok',
};

const held = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 100';
/** Answers with interim ones before them, in pieces as they arrive. */
const interims: Record<string, readonly string[]> = {
  '/100': [`HTTP/1.1 100 Continue\r\n\r\n${held}`],
  '/100-with-fields': ['HTTP/1.1 100 Continue\r\nX-Inner: secret\r\n\r\n', held],
  '/100-by-the-byte': [...`HTTP/1.1 100 Continue\r\n\r\n${held}`],
  '/100-twice': [`HTTP/1.1 100 \r\n\r\nHTTP/1.0 100 Continue\r\n\r\n${held}`],
  '/100-among-others': [
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r',
    '\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    held,
  ],
};

const asked: string[] = [];
let upstream: StartedUpstream;
let gateway: StartedGateway;
let session: ClientHttp2Session;

async function pieces(socket: Socket, rest: readonly string[]): Promise<void> {
  for (const piece of rest) {
    // Each in a packet of its own.
    await setImmediate();
    socket.write(piece);
  }
}

beforeAll(async () => {
  upstream = await startRawUpstream((socket, bytes) => {
    const [, path = ''] = /^\w+ (\S+)/.exec(bytes.toString('latin1')) ?? [];
    asked.push(path);
    const [first = '', ...rest] = interims[path] ?? [answers[path] ?? ''];
    socket.setNoDelay(true).write(first);
    void pieces(socket, rest);
  });
  gateway = await startGateway({
    certificates: [await certificateFor([host])],
    sites: [{ domains: [host], backend_url: upstream.url, ssl: { enabled: true, redirect: false } }],
  });
  session = connect(`https://127.0.0.1:${gateway.httpsPort}`, {
    servername: host,
    rejectUnauthorized: false,
  });
});

afterAll(async () => {
  session.destroy();
  await exchangesDownTo(0);
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const clear = (path: string) =>
  speak(gateway.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

async function overHttp2(path: string) {
  const stream = session.request({ ':path': path, ':authority': host });
  let trailers: IncomingHttpHeaders = {};
  stream.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
  return { status: headers[':status'], headers, body: await text(stream), trailers };
}

describe('an answer of the upstream', () => {
  test('without a body says no length: another recipient would wait for it', async () => {
    expect(await clear('/204-length')).not.toMatch(/content-length/i);
    expect(await overHttp2('/204-length')).toMatchObject({ status: 204, body: '' });
  });

  test('that resets a form has no body, whatever comes', async () => {
    expect(await clear('/205-body')).toMatch(/^HTTP\/1\.1 205 [\s\S]*Content-Length: 0\r\n[\s\S]*\r\n\r\n$/);
    expect(await overHttp2('/205-body')).toMatchObject({ status: 205, body: '' });
  });

  test('loses what its Connection names, and not its length', async () => {
    const answer = await clear('/named-hop');
    expect(answer).not.toMatch(/inner|secret/i);
    expect(answer).toMatch(/Content-Length: 2\r\n[\s\S]*\r\n\r\nok$/);
  });

  test.each(['/settings', '/twice'])('%s reaches clients of both protocols', async (path) => {
    expect(await clear(path)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nok$/);
    expect(await clear(path)).not.toMatch(/http2-settings/i);
    expect(await overHttp2(path)).toMatchObject({ status: 200, body: 'ok' });
  });

  test('sets no cookie and no caching behind its body', async () => {
    expect(await clear('/trailers')).toMatch(/\r\nok\r\n0\r\nx-sum: 1\r\nx-sum: 2\r\n\r\n$/);
    const { trailers } = await overHttp2('/trailers');
    expect(trailers).toMatchObject({ 'x-sum': '1, 2' });
    expect(Object.keys(trailers)).toEqual(['x-sum']);
  });

  test('with a status that HTTP/2 has not is a 502 there, with nothing of it', async () => {
    expect(await clear('/600')).toMatch(/^HTTP\/1\.1 600 /);
    const { status, headers } = await overHttp2('/600');
    expect(status).toBe(502);
    expect(headers).not.toHaveProperty('x-inner');
  });

  test.each(['/gzip-coding', '/identity-coding'])(
    '%s is refused, for the client would not be told of the coding',
    async (path) => {
      expect(await clear(path)).toMatch(/^HTTP\/1\.1 502 /);
      expect((await overHttp2(path)).status).toBe(502);
    },
  );

  test.each(Object.keys(interims))(
    'that begins with %s, which nobody asked for, is read behind it',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const request = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
        const answer = await speak(gateway.port, request);
        expect(answer).toMatch(
          /^(?:HTTP\/1\.1 103 [\s\S]*?\r\n\r\n)?HTTP\/1\.1 200 [\s\S]*\r\n\r\nHTTP\/1\.1 100$/,
        );
        expect(answer).not.toMatch(/x-inner/i);
      }
      expect(await overHttp2(path)).toMatchObject({ status: 200, body: 'HTTP/1.1 100' });
      // Repeating a POST would do its work twice.
      expect(asked.filter((one) => one === path)).toHaveLength(3);
    },
  );
});
