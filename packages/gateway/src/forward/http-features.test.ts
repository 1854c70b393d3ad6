import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  speak,
  startGateway,
  startRawUpstream,
  startUpstream,
} from '../testing/index.ts';

const hinting = (link: string) => (socket: { write(text: string): void }) =>
  socket.write(
    `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\nSet-Cookie: early=1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage`,
  );
const style = '</app.css>; rel=preload; as=style';
const get = (version: string) => `GET / HTTP/${version}\r\nHost: a.test\r\nConnection: close\r\n\r\n`;

describe('103 Early Hints', () => {
  test('come before the answer, their links alone', async () => {
    await using upstream = await startRawUpstream(hinting(style));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const said = await speak(gateway.port, get('1.1'));
    expect(said).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/app\.css>; rel=preload; as=style\r\n\r\nHTTP\/1\.1 200 /,
    );
    expect(said).not.toContain('early=1');
    expect(said).toMatch(/page$/);
  });

  test.each([
    ['HTTP/1.0 clients, who do not know them', '1.0', style],
    ['who would get a link that cannot be read', '1.1', '/app.css'],
  ])('spare %s', async (_name, version, link) => {
    await using upstream = await startRawUpstream(hinting(link));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const said = await speak(gateway.port, get(version));
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).toMatch(/page$/);
  });

  test('reach clients of HTTP/2', async () => {
    await using upstream = await startRawUpstream(hinting(style));
    await using gateway = await startGateway({
      certificates: [await certificateFor(['shop.example.com'])],
      sites: [{ domains: ['shop.example.com'], backend_url: upstream.url, ssl: { enabled: true } }],
    });
    const session = connectHttp2(`https://shop.example.com:${gateway.httpsPort}`, {
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/' });
    const [hints] = (await once(stream, 'headers')) as [Record<string, unknown>];
    expect(hints).toMatchObject({ ':status': 103, link: style });
    expect(await text(stream)).toBe('page');
    session.close();
  });
});

describe('what applications rely on', () => {
  test('the trace of a request goes on as it came', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const trace = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
      baggage: 'userId=alice',
    };
    await ask(gateway.port, '/', { headers: trace });
    expect(upstream.requests[0]?.headers).toMatchObject(trace);
  });

  test('OPTIONS of a path is the upstream’s to answer, of the server nobody’s', async () => {
    await using upstream = await startUpstream((incoming, response) =>
      response.writeHead(204, { Allow: `GET, ${incoming.method}` }).end(),
    );
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect(await ask(gateway.port, '/a', { method: 'OPTIONS' })).toMatchObject({
      status: 204,
      headers: { allow: 'GET, OPTIONS' },
    });
    expect((await ask(gateway.port, '*', { method: 'OPTIONS' })).status).toBe(405);
    expect(upstream.requests).toHaveLength(1);
  });

  test.each([
    ['a part', 206, { 'Content-Range': 'bytes 2-4/10', 'Accept-Ranges': 'bytes' }, 'cde'],
    ['several parts', 206, { 'Content-Type': 'multipart/byteranges; boundary=x' }, '--x\r\n\r\nab\r\n--x--'],
    ['one that is not there', 416, { 'Content-Range': 'bytes */10' }, ''],
  ])('a range: %s', async (_name, status, headers, body) => {
    await using upstream = await startUpstream((_incoming, response) =>
      response.writeHead(status, headers).end(body),
    );
    await using gateway = await startGateway({
      // Also past response inspection, which must not mend the parts together.
      sites: [{ backend_url: upstream.url, response_inspection: { mode: 'block' } }],
    });
    const asked = { Range: 'bytes=2-4', 'If-Range': '"1"' };
    const answer = await ask(gateway.port, '/film', { headers: asked });
    expect(upstream.requests[0]?.headers).toMatchObject({ range: 'bytes=2-4', 'if-range': '"1"' });
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(answer).toMatchObject({ status, body, headers: Object.fromEntries(lower) });
  });

  test('trailers of a request end at the gateway, none of them read as a header', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.resume();
      incoming.on('end', () => response.end('read'));
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const said = await speak(
      gateway.port,
      'POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTrailer: X-Forwarded-For\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Forwarded-For: 6.6.6.6\r\nX-Sum: 7\r\n\r\n',
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*read$/);
    const [seen] = upstream.requests;
    expect(seen?.headersDistinct['x-forwarded-for']).toEqual(['127.0.0.1']);
    expect(JSON.stringify([seen?.rawHeaders, seen?.rawTrailers])).not.toMatch(/6\.6\.6\.6|Sum/);
  });

  test('a client of HTTP/1.0 is told of no 100, whatever it expects', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.resume();
      incoming.on('end', () => response.end('read'));
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    for (const length of [3, 40_000]) {
      const said = await speak(
        gateway.port,
        `POST / HTTP/1.0\r\nHost: a.test\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`,
      );
      expect(said).toMatch(/^HTTP\/1\.[01] 200 [\s\S]*read$/);
    }
  });

  test('a refused client is told so before it sends its body', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      addressLists: [{ id: 'here', name: 'here', action: 'block', entries: ['127.0.0.1'] }],
      sites: [{ backend_url: upstream.url }],
    });
    const sent = request({
      port: gateway.port,
      method: 'PUT',
      headers: { Expect: '100-continue', 'Content-Length': 100_000_000 },
    });
    const told: string[] = [];
    sent.on('continue', () => told.push('continue'));
    sent.flushHeaders();
    const [answer] = await once(sent, 'response');
    expect([answer.statusCode, told]).toEqual([403, []]);
    sent.destroy();
    expect(upstream.requests).toEqual([]);
  });
});
