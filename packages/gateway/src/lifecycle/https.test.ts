import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  type StartedGateway,
  speak,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const certificates = [await certificateFor(['shop.example.com'])];
const shop = (backend_url: string, more: object = {}) => ({
  domains: ['shop.example.com'],
  backend_url,
  ssl: { enabled: true },
  ...more,
});

function http2(gateway: StartedGateway): ClientHttp2Session {
  const session = connectHttp2(`https://shop.example.com:${gateway.httpsPort}`, {
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
    rejectUnauthorized: false,
  });
  session.on('error', () => undefined);
  return session;
}

async function over(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string) {
  const stream = session.request(
    { ':authority': 'shop.example.com', ...headers },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  const [answer] = (await once(stream, 'response')) as [Record<string, string | number | string[]>];
  const trailers: Record<string, unknown> = {};
  stream.on('trailers', (got: object) => Object.assign(trailers, got));
  return { answer, body: await text(stream), trailers };
}

/** HTTP/1.1 over TLS, raw. */
async function speakTls(gateway: StartedGateway, bytes: string): Promise<string> {
  const socket = connect({
    port: gateway.httpsPort ?? 0,
    host: '127.0.0.1',
    servername: 'shop.example.com',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
}

describe('HTTP/2', () => {
  test('reaches an HTTP/1.1 upstream as the same request', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], Trailer: 'X-Sum' });
      incoming.on('data', (chunk: Buffer) => response.write(chunk));
      incoming.on('end', () => {
        response.addTrailers({ 'X-Sum': '7' });
        response.end();
      });
    });
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    const headers = { ':method': 'POST', ':path': '/a?b=c', cookie: ['x=1', 'y=2'], 'x-custom': 'yes' };
    const { answer, body, trailers } = await over(session, headers, 'hello body');
    session.close();
    expect(answer[':status']).toBe(200);
    expect(answer['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(body).toBe('hello body');
    expect(trailers).toMatchObject({ 'x-sum': '7' });
    const [seen] = upstream.requests;
    expect(seen).toMatchObject({ method: 'POST', url: '/a?b=c' });
    expect(seen?.headersDistinct).toMatchObject({
      host: ['shop.example.com'],
      cookie: ['x=1; y=2'],
      'x-forwarded-proto': ['https'],
    });
    expect(seen?.rawHeaders.some((name) => name.startsWith(':'))).toBe(false);
  });

  test('is inspected like HTTP/1.1, and many streams share a connection', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    const path = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    const all = await Promise.all([
      over(session, { ':path': path }),
      ...Array.from({ length: 20 }, () => over(session, { ':path': '/' })),
    ]);
    session.close();
    expect(all.map(({ answer }) => answer[':status'])).toEqual([
      403,
      ...Array.from({ length: 20 }, () => 200),
    ]);
  });

  test.each([
    ['a path with a space', { ':path': '/a b' }],
    ['a path without slash', { ':path': 'a' }],
    ['a path with a fragment', { ':path': '/a#b' }],
    ['another Host beside the authority', { ':path': '/', host: 'evil.example' }],
    ['an authority with user information', { ':path': '/', ':authority': 'x@shop.example.com' }],
  ])('%s is refused and never forwarded', async (_name, headers) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    const outcome = await over(session, headers).then(
      ({ answer }) => answer[':status'],
      (error: Error) => error.message,
    );
    session.destroy();
    expect(String(outcome)).toMatch(/^400$|ERR_HTTP2|PROTOCOL_ERROR|closed/i);
    expect(upstream.requests).toEqual([]);
  });

  test('a body that is not as long as it says ends the stream, not the gateway', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.resume().on('end', () => response.end('whole'));
    });
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    const headers = { ':method': 'POST', ':path': '/', 'content-length': '3' };
    await expect(over(session, headers, 'longer than three')).rejects.toThrow();
    session.destroy();
    expect((await ask(gateway.port, '/', { headers: { Host: 'shop.example.com' } })).status).toBe(200);
  });

  test('a client that cancels its stream frees the upstream', async () => {
    const closed = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await using upstream = await startUpstream((_incoming, response) => {
      response.on('close', () => closed.resolve());
      response.write('first');
      reached.resolve();
    });
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    const stream = session.request({ ':authority': 'shop.example.com', ':path': '/' });
    stream.on('error', () => undefined);
    await reached.promise;
    stream.close(8);
    await closed.promise;
    session.destroy();
  });
});

describe('HTTP/1.1 over TLS', () => {
  test('is served, with HSTS where the operator asked for it', async () => {
    await using upstream = await startUpstream();
    const ssl = { enabled: true, hsts: { enabled: true, max_age: 600, include_subdomains: true } };
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url, { ssl })] });
    const answer = await speakTls(
      gateway,
      'GET / HTTP/1.1\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('Strict-Transport-Security: max-age=600; includeSubDomains');
  });

  test('ambiguous framing is refused as on the clear door', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    for (const lines of [
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      'Host: b.test\r\n',
      'X : y\r\n',
    ]) {
      const answer = await speakTls(
        gateway,
        `POST / HTTP/1.1\r\nHost: shop.example.com\r\n${lines}\r\n0\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(upstream.requests).toEqual([]);
  });

  test('a request of HTTP/1.1 that calls itself HTTP/2.0 is refused, and ends nobody', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const liar = 'GET / HTTP/2.0\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n';
    expect(await speakTls(gateway, liar)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await speak(gateway.port, liar)).toMatch(/^HTTP\/1\.1 400 /);
    expect(upstream.requests).toEqual([]);
  });

  test('WebSockets switch over TLS, h2c does not', async () => {
    await using upstream = await startUpstream();
    upstream.server.on('upgrade', (_request, socket) => {
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nswitched',
      );
    });
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const upgrade = (protocol: string) =>
      `GET / HTTP/1.1\r\nHost: shop.example.com\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    expect(await speakTls(gateway, upgrade('websocket'))).toMatch(/ 101 [\s\S]*switched$/);
    expect(await speakTls(gateway, upgrade('h2c'))).not.toContain(' 101 ');
  });

  test('clear requests are sent to HTTPS where the operator says so', async () => {
    await using upstream = await startUpstream();
    const ssl = { enabled: true, redirect: true };
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url, { ssl })] });
    const from = async (host: string) =>
      (await ask(gateway.port, '/a?b', { headers: { Host: host } })).headers.location;
    expect(await from('shop.example.com')).toBe('https://shop.example.com/a?b');
    expect(await from(`shop.example.com:${gateway.port}`)).toBe(
      `https://shop.example.com:${gateway.httpsPort}/a?b`,
    );
    expect(upstream.requests).toEqual([]);
  });

  test('without a certificate for the name nothing is redirected and no handshake succeeds', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [shop(upstream.url, { ssl: { enabled: true, redirect: true } })],
    });
    expect((await ask(gateway.port, '/', { headers: { Host: 'shop.example.com' } })).status).toBe(200);
    const spoken = speakTls(gateway, 'GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n');
    await expect(spoken).rejects.toThrow(/handshake failure/);
  });
});

describe('operation', () => {
  test('a certificate is swapped for new connections while open ones go on', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ certificates, sites: [shop(upstream.url)] });
    const session = http2(gateway);
    await over(session, { ':path': '/' });
    const shown = async () => {
      const socket = connect({
        port: gateway.httpsPort ?? 0,
        servername: 'shop.example.com',
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await shown();
    const next = await certificateFor(['shop.example.com']);
    gateway.configure({ certificates: [next], sites: [shop(upstream.url)] });
    expect(await shown()).not.toBe(before);
    expect((await over(session, { ':path': '/' })).answer[':status']).toBe(200);
    session.close();
  });

  test('whoever shakes hands for one site and asks another is judged by the one it asks', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      certificates,
      sites: [
        shop(upstream.url, { security_level: 'off' }),
        { id: 'bank', domains: ['bank.example.com'], backend_url: upstream.url },
      ],
    });
    const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    const asks = (host: string) => `GET ${attack} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await speakTls(gateway, asks('shop.example.com'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await speakTls(gateway, asks('bank.example.com'))).toMatch(/^HTTP\/1\.1 403 /);
    const session = http2(gateway);
    expect((await over(session, { ':path': attack })).answer[':status']).toBe(200);
    const fronted = { ':path': attack, ':authority': 'bank.example.com' };
    expect((await over(session, fronted)).answer[':status']).toBe(403);
    session.close();
    expect(upstream.requests.map(({ headers }) => headers.host)).toEqual(Array(2).fill('shop.example.com'));
    expect(await gateway.sink.event((one) => one.kind === 'detection')).toMatchObject({ siteId: 'bank' });
  });

  test('a session that is resumed is judged by what is in force now', async () => {
    await using upstream = await startUpstream();
    const secrets = { ticketKey: Buffer.alloc(48, 7).toString('base64') };
    await using gateway = await startGateway({ certificates, secrets, sites: [shop(upstream.url)] });
    const visit = async (session?: Buffer) => {
      const socket = connect({
        port: gateway.httpsPort ?? 0,
        servername: 'shop.example.com',
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
        ...(session && { session }),
      });
      socket.write('GET / HTTP/1.1\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n');
      let ticket: Buffer | undefined;
      socket.on('session', (given) => {
        ticket = given;
      });
      const [answer, resumed] = await Promise.all([
        text(socket),
        once(socket, 'secureConnect').then(() => socket.isSessionReused()),
      ]);
      return { status: answer.slice(9, 12), resumed, ticket };
    };
    const first = await visit();
    expect(first).toMatchObject({ status: '200', resumed: false });
    const addressLists = [{ id: 'all', name: 'All', action: 'block' as const, entries: ['0.0.0.0/0'] }];
    gateway.configure({ certificates, secrets, addressLists, sites: [shop(upstream.url)] });
    expect(await visit(first.ticket)).toMatchObject({ status: '403', resumed: true });
    // Its certificate is gone: whoever resumes has proof from before of who is here, and gets nobody's site.
    const others = {
      certificates: certificates.slice(1),
      sites: [shop(upstream.url, { id: 'other', domains: ['bank.example.com'] })],
    };
    gateway.configure({ secrets, ...others });
    expect(await visit(first.ticket)).toMatchObject({ status: '404', resumed: true });
    await expect(visit()).rejects.toThrow();
  });

  test('ACME challenges are answered on any host, other tokens by the upstream', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      acmeChallenges: [{ token: 'abc_123', keyAuthorization: 'abc_123.thumb' }],
      sites: [shop(upstream.url)],
    });
    const path = '/.well-known/acme-challenge/';
    const answer = await ask(gateway.port, `${path}abc_123`, { headers: { Host: 'new.example.com' } });
    expect(answer).toMatchObject({ status: 200, body: 'abc_123.thumb' });
    const other = await ask(gateway.port, `${path}other`, { headers: { Host: 'shop.example.com' } });
    expect(other.body).toBe('hello');
  });

  test('ACME challenges are answered whatever else keeps visitors out', async () => {
    const security_level = 'under_attack' as const;
    const redirected = shop('http://127.0.0.1:9', { security_level, ssl: { enabled: true, redirect: true } });
    await using gateway = await startGateway({
      acmeChallenges: [{ token: 'abc_123', keyAuthorization: 'abc_123.thumb' }],
      certificates,
      sites: [redirected],
      general: { maintenanceMode: true },
      addressLists: [{ id: 'all', name: 'Everybody', action: 'block', entries: ['0.0.0.0/0'] }],
    });
    const visit = (path: string) => ask(gateway.port, path, { headers: { Host: 'shop.example.com' } });
    expect((await visit('/.well-known/acme-challenge/abc_123')).body).toBe('abc_123.thumb');
    expect((await visit('/')).status).toBe(308);
  });

  test('a balancer that speaks PROXY protocol names the client', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'], proxyProtocol: true },
      sites: [{ backend_url: upstream.url }],
    });
    const socket = connectTcp(gateway.port, '127.0.0.1');
    socket.write(
      'PROXY TCP4 203.0.113.9 127.0.0.1 4711 80\r\nGET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.requests[0]?.headers['x-forwarded-for']).toBe('203.0.113.9');
  });
});
