import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  openSockets,
  socketsDownTo,
  speak,
  startGateway,
  startRawUpstream,
  startUpstream,
} from '../testing/index.ts';

describe('forwarding', () => {
  test('method, target, headers and body reach the upstream as they were sent', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => response.end(Buffer.concat(chunks)));
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    const answer = await ask(gateway.port, '/a%20b//../c?x=%27&y', {
      method: 'PUT',
      headers: { Host: 'shop.example.com', 'X-Custom': ['one', 'two'], Cookie: 'a=b' },
      body: 'some text',
    });
    expect(answer).toMatchObject({ status: 200, body: 'some text' });
    const [seen] = upstream.requests;
    expect(seen).toMatchObject({ method: 'PUT', url: '/a%20b//../c?x=%27&y' });
    expect(seen?.headersDistinct).toMatchObject({
      host: ['shop.example.com'],
      'x-custom': ['one', 'two'],
      cookie: ['a=b'],
      'content-length': ['9'],
      'x-forwarded-for': ['127.0.0.1'],
      'x-forwarded-proto': ['http'],
      'x-forwarded-host': ['shop.example.com'],
      forwarded: ['for=127.0.0.1;proto=http;host="shop.example.com"'],
    });
    expect(seen?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('forwarding headers that the client wrote itself are replaced', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    await ask(gateway.port, '/', {
      headers: {
        'X-Forwarded-For': ['6.6.6.6', '7.7.7.7'],
        X_Forwarded_For: '8.8.8.8',
        Forwarded: 'for=6.6.6.6',
        'X-Real-IP': '6.6.6.6',
        'X.Forwarded.For': '6.6.6.6',
        'X-Request-Id': 'mine',
        'True-Client-IP': '6.6.6.6',
        Client_IP: '6.6.6.6',
        'X-Original-URL': '/mine',
        'X-Forwarded-Proto': 'mine, https',
      },
    });
    const seen = upstream.requests[0];
    expect(seen?.headersDistinct['x-forwarded-for']).toEqual(['127.0.0.1']);
    expect(seen?.headersDistinct['x-forwarded-proto']).toEqual(['http']);
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(/6\.6\.6\.6|7\.7\.7\.7|8\.8\.8\.8|mine/);
  });

  /** One of each group; applications read the second and third spelling as the first. */
  const proxysWords = [
    ...['X-Originating-IP', 'WL-Proxy-Client-IP', 'X-Azure-ClientIP', 'Fly-Client-IP', 'DO-Connecting-IP'],
    ...[
      'X-Envoy-External-Address',
      'X_Originating_IP',
      'X.Originating.IP',
      'X-Arr-SSL',
      'CF-Visitor',
      'X-Host',
    ],
    ...['X-HTTP-Host-Override', 'X-Original-Uri', 'X-Rewrite-URL', 'X-Forwarded-Uri', 'X-Forwarded-User'],
    ...['X-Forwarded-Client-Cert', 'X-Remote-User', 'Remote_User', 'X-SSL-Client-Verify', 'X-ARR-ClientCert'],
    ...['X-Auth-Request-Email', 'Client-Cert', 'X-Sendfile-Type', 'X-Accel-Mapping'],
  ];

  test.each([
    [[], 'a stranger', 0],
    [['127.0.0.1'], 'a trusted proxy', proxysWords.length],
  ])('what stands for the word of a proxy, by %j as one: from %s', async (trustedProxies, _who, count) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { trustedProxies },
      sites: [{ backend_url: upstream.url }],
    });
    const own = { 'X-Requested-With': 'a', 'X-Api-Key': 'b', 'X-HTTP-Method-Override': 'PUT' };
    const named = Object.fromEntries(proxysWords.map((name) => [name, '127.0.0.1']));
    await ask(gateway.port, '/', { headers: { ...own, ...named, Proxy: 'http://192.0.2.1' } });
    const seen = upstream.requests[0]?.rawHeaders.filter((_, at) => at % 2 === 0) ?? [];
    expect(seen.filter((name) => proxysWords.includes(name))).toHaveLength(count);
    expect(seen).toEqual(expect.arrayContaining(Object.keys(own)));
    expect(seen.map((name) => name.toLowerCase())).not.toContain('proxy');
  });

  test('a trusted proxy is believed how the client came, and goes on with names of its own', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'] },
      certificates: [await certificateFor(['shop.example.com'])],
      sites: [{ backend_url: upstream.url, ssl: { enabled: true, redirect: true, hsts: { enabled: true } } }],
    });
    const headers = { Host: 'shop.example.com', 'X-Forwarded-For': '203.0.113.9' };
    const secure = { ...headers, 'X-Forwarded-Proto': 'https', 'CF-Connecting-IP': '203.0.113.9' };
    const answer = await ask(gateway.port, '/', { headers: secure });
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toMatch(/max-age/);
    expect(upstream.requests[0]?.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      forwarded: 'for=203.0.113.9;proto=https;host="shop.example.com"',
      'cf-connecting-ip': '203.0.113.9',
    });
    // The last of several is what the proxy itself saw.
    for (const proto of ['http', 'https, http', 'gopher']) {
      const redirect = await ask(gateway.port, '/', { headers: { ...headers, 'X-Forwarded-Proto': proto } });
      expect(redirect.status).toBe(308);
    }
  });

  test('the pass of a challenge stays with the gateway', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    for (const cookie of ['a=b; portcullis_pass=js.x.y; c=d', 'portcullis_pass=js.x.y']) {
      await ask(gateway.port, '/', { headers: { Cookie: cookie } });
    }
    expect(upstream.requests.map((request) => request.headers.cookie)).toEqual(['a=b; c=d', undefined]);
  });

  test('hop-by-hop headers end at the gateway in both directions', async () => {
    await using upstream = await startRawUpstream((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nConnection: X-Secret-Hop\r\nKeep-Alive: timeout=9\r\nX-Stays: yes\r\nContent-Length: 2\r\n\r\nok',
      );
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await speak(
      gateway.port,
      'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nProxy-Authorization: Basic x\r\n\r\n',
    );
    expect(answer).toContain('X-Stays: yes');
    expect(answer).not.toMatch(/X-Secret-Hop|timeout=9/);
  });

  test('HEAD, 204, 304, chunked and empty answers keep their meaning on one connection', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      if (incoming.url === '/204') response.writeHead(204).end();
      else if (incoming.url === '/304') response.writeHead(304, { ETag: '"x"' }).end();
      else if (incoming.url === '/chunked') {
        response.write('one ');
        response.end('two');
      } else if (incoming.url === '/empty') response.end();
      else response.writeHead(200, { 'Content-Length': 10 }).end('0123456789');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const get = (method: string, path: string, more = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: a.test\r\n${more}\r\n`;
    const answer = await speak(
      gateway.port,
      get('HEAD', '/') +
        get('GET', '/204') +
        get('GET', '/304') +
        get('GET', '/chunked') +
        get('GET', '/empty') +
        get('GET', '/', 'Connection: close\r\n'),
    );
    const heads = answer.split('HTTP/1.1 ').slice(1);
    expect(heads.map((head) => head.slice(0, 3))).toEqual(['200', '204', '304', '200', '200', '200']);
    expect(heads[0]).toMatch(/Content-Length: 10\r\n(.*\r\n)*\r\n$/i);
    expect(heads[1]).toMatch(/\r\n\r\n$/);
    expect(heads[2]).toMatch(/ETag: "x"(.*\r\n)*\r\n$/i);
    expect(heads[3]).toMatch(/chunked[\s\S]*one [\s\S]*two/i);
    expect(heads[5]).toMatch(/0123456789$/);
  });

  test('large bodies stream both ways unchanged', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.pipe(response);
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    const bytes = randomBytes(8 * 1024 * 1024);
    const answer = await fetch(`${gateway.url}/`, { method: 'POST', body: bytes });
    const back = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(back).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  });

  test('the first piece of an endless answer arrives before the second is made', async () => {
    let more: (() => void) | undefined;
    await using upstream = await startUpstream((_incoming, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
      more = () => response.end('data: 2\n\n');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await fetch(gateway.url);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('data: 1\n\n');
    more?.();
    expect((await reader.read()).value).toBe('data: 2\n\n');
    expect((await reader.read()).done).toBe(true);
  });

  test('trailers of the upstream reach the client', async () => {
    await using upstream = await startUpstream((_incoming, response) => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      response.write('body');
      response.addTrailers({ 'X-Sum': '42' });
      response.end();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await ask(gateway.port, '/');
    expect(answer.trailers).toEqual({ 'x-sum': '42' });
  });

  test('Expect: 100-continue is answered and the body follows', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.pipe(response);
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const sent = request({
      port: gateway.port,
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': 4 },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.end('body');
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    expect(text).toBe('body');
  });
});

describe('when a side goes away', () => {
  test('a client that leaves while the upstream is paused frees the upstream connection', async () => {
    const closed = Promise.withResolvers<void>();
    await using upstream = await startUpstream((_incoming, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200);
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', fill);
      fill();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    socket.destroy();
    await closed.promise;
  });

  test('no request waits for the handshake of another with an upstream that says nothing', async () => {
    const all = Promise.withResolvers<void>();
    let greeted = 0;
    await using silent = await startRawUpstream(() => {
      greeted += 1;
      if (greeted === 3) all.resolve();
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: silent.url.replace('http:', 'https:') }],
      general: { connectTimeout: 60 },
    });
    const sockets = [1, 2, 3].map(() => {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
      return socket;
    });
    await all.promise;
    for (const socket of sockets) socket.destroy();
  });

  test('a client that leaves before its upstream is reached costs nobody anything', async () => {
    const reached = Promise.withResolvers<void>();
    // It takes connections and says nothing, so that the handshake of TLS never ends.
    await using silent = await startRawUpstream(() => reached.resolve());
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        { domains: ['silent.test'], backend_url: silent.url.replace('http:', 'https:') },
        { domains: ['shop.test'], backend_url: upstream.url },
      ],
    });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: silent.test\r\nContent-Type: application/octet-stream\r\n');
    socket.write(`Content-Length: 900000\r\n\r\n${'x'.repeat(200_000)}`);
    await reached.promise;
    const open = openSockets();
    socket.destroy();
    await socketsDownTo(open - 2);
    expect((await ask(gateway.port, '/', { headers: { Host: 'shop.test' } })).status).toBe(200);
  });

  test('a client that leaves within its upload ends the upstream request', async () => {
    const closed = Promise.withResolvers<string>();
    await using upstream = await startUpstream((incoming) => {
      incoming.on('error', () => closed.resolve('cut'));
      incoming.resume();
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000000\r\n\r\npart');
    await once(upstream.server, 'request');
    socket.destroy();
    expect(await closed.promise).toBe('cut');
  });

  test.each([
    ['shorter than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'],
    ['cut within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nonly this'],
  ])('an answer that is %s is not made to look whole', async (_name, bytes) => {
    await using upstream = await startRawUpstream((socket) => void socket.end(bytes));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    await expect(ask(gateway.port, '/')).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
    const event = await gateway.sink.event((one) => one.kind === 'upstream_error');
    expect(event.message).toContain('within its answer');
  });

  test.each([
    ['refuses connections', undefined, 502, 'upstream_unavailable'],
    [
      'closes without an answer',
      (socket: { destroy(): void }) => socket.destroy(),
      502,
      'upstream_unavailable',
    ],
    [
      'answers nonsense',
      (socket: { end(text: string): void }) => socket.end('nonsense\r\n\r\n'),
      502,
      'upstream_unavailable',
    ],
  ])('an upstream that %s gives a page with a reference id', async (_name, behave, status, code) => {
    await using upstream = await startRawUpstream((socket) => behave?.(socket));
    const url = behave ? upstream.url : 'http://127.0.0.1:9';
    await using gateway = await startGateway({ sites: [{ backend_url: url }] });
    const answer = await ask(gateway.port, '/', { headers: { Accept: 'application/json' } });
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body);
    expect(body).toMatchObject({ code });
    const event = await gateway.sink.event((one) => one.kind === 'upstream_error');
    expect(event.requestId).toBe(body.requestId);
  });

  test('an upstream that never answers gives 504 after the request timeout', async () => {
    await using upstream = await startUpstream(() => undefined);
    await using gateway = await startGateway({
      general: { requestTimeout: 5 },
      sites: [{ backend_url: upstream.url }],
    });
    const answer = await ask(gateway.port, '/');
    expect(answer.status).toBe(504);
    expect(answer.body).toContain('Reference');
  });
});
