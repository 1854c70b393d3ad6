import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { atOnce } from '../steps.ts';
import { certificateFor } from '../testing/index.ts';
import { applyTlsState, type CertificateStore, compileCertificates, createTlsServer } from './index.ts';

const compile = (...given: Parameters<typeof compileCertificates>) => atOnce(compileCertificates(...given));
const none: ReadonlySet<string> = new Set();
const servers: Http2SecureServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(store: CertificateStore, ticketKey?: string, handshakeTimeoutMs = 2000) {
  const state = { store };
  const server = createTlsServer({
    certificates: () => state.store,
    handshakeTimeoutMs,
    limits: () => ({
      headersTimeoutMs: 2000,
      requestTimeoutMs: 5000,
      idleTimeoutMs: 10_000,
      keepAliveTimeoutMs: 2000,
    }),
    maxHeaderBytes: 32_768,
    onClientError: (_error, socket) => socket.destroy(),
  });
  const apply = (next: CertificateStore) => {
    state.store = next;
    applyTlsState(server, { fallback: next.fallback, ticketKey });
  };
  apply(store);
  server.on('request', (request, response) => response.end(`${request.httpVersion} ${request.url}`));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, apply, server };
}

async function handshake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return socket;
}
/** @returns the names of the certificate that the server showed */
async function shown(port: number, servername?: string): Promise<string> {
  const socket = await handshake(port, servername === undefined ? {} : { servername });
  const names = socket.getPeerCertificate().subjectaltname ?? '';
  socket.destroy();
  return names;
}

describe('certificates by name', () => {
  it('show an exact name first, then a wildcard, and no other', async () => {
    const certificates = [
      await certificateFor(['shop.example.com', 'www.example.com']),
      await certificateFor(['*.example.com']),
    ];
    const { port } = await serve(compile(certificates, none));
    expect(await shown(port, 'shop.example.com')).toBe('DNS:shop.example.com, DNS:www.example.com');
    expect(await shown(port, 'SHOP.Example.com')).toContain('shop.example.com');
    expect(await shown(port, 'blog.example.com')).toBe('DNS:*.example.com');
    await expect(shown(port, 'a.b.example.com')).rejects.toThrow();
    await expect(shown(port, 'example.org')).rejects.toThrow();
    await expect(shown(port)).rejects.toThrow();
  });

  it('fall back to the site that answers for any host, also where no name is sent', async () => {
    const catchAll = await certificateFor(['internal.example'], { siteId: 'any' });
    const { port } = await serve(compile([catchAll], new Set(['any'])));
    expect(await shown(port, 'other.example')).toBe('DNS:internal.example');
    expect(await shown(port)).toBe('DNS:internal.example');
  });

  it('choose the one that is valid for longest, and load the good ones beside a broken one', async () => {
    const [short, long] = [
      await certificateFor(['a.example'], { days: 5 }),
      await certificateFor(['a.example']),
    ];
    const broken = { ...long, id: 'broken', privateKey: short.privateKey };
    const store = compile([short, long, broken, { ...short, id: 'none', chain: 'x' }], none);
    expect(store.problems.map(({ certificateId }) => certificateId)).toEqual(['broken', 'none']);
    const { port } = await serve(store);
    const socket = await handshake(port, { servername: 'a.example' });
    expect(Date.parse(socket.getPeerCertificate().valid_to)).toBeGreaterThan(Date.now() + 80 * 86_400_000);
    socket.destroy();
    expect(store.covers('a.example')).toBe(true);
    expect(store.covers('b.example')).toBe(false);
  });

  it('keep what is loaded where nothing changed', async () => {
    const certificate = await certificateFor(['a.example']);
    const before = compile([certificate], none);
    const after = compile([{ ...certificate }], none, before);
    expect(after.find('a.example')).toBe(before.find('a.example'));
  });
});

describe('the TLS listener', () => {
  it('tells by an alert that nobody has a name, and takes a name with its last dot', async () => {
    const { port } = await serve(compile([await certificateFor(['shop.example.com'])], none));
    await expect(handshake(port, { servername: 'blog.example.com' })).rejects.toMatchObject({
      code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    });
    expect(await shown(port, 'Shop.Example.com.')).toBe('DNS:shop.example.com');
  });

  it('negotiates a connection once, however often its client asks', async () => {
    const { port } = await serve(compile([await certificateFor(['shop.example.com'])], none));
    const socket = await handshake(port, { servername: 'shop.example.com', maxVersion: 'TLSv1.2' });
    const refused = once(socket, 'error');
    expect(socket.renegotiate({}, () => undefined)).not.toBe(false);
    expect((await refused)[0]).toMatchObject({ code: 'ERR_SSL_NO_RENEGOTIATION' });
    socket.destroy();
  });

  it('speaks HTTP/2 and HTTP/1.1, as the client asks', async () => {
    const { port } = await serve(compile([await certificateFor(['a.example'])], none));
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      servername: 'a.example',
    });
    const stream = session.request({ ':path': '/two' });
    expect(await text(stream)).toBe('2.0 /two');
    session.close();
    const socket = await handshake(port, { servername: 'a.example', ALPNProtocols: ['http/1.1'] });
    socket.end('GET /one HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toContain('1.1 /one');
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    const { port } = await serve(compile([await certificateFor(['a.example'])], none));
    const old = {
      servername: 'a.example',
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    };
    await expect(handshake(port, old)).rejects.toThrow();
  });

  it.each(['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-SHA'])(
    'refuses the suite %s',
    async (ciphers) => {
      const { port } = await serve(compile([await certificateFor(['a.example'])], none));
      await expect(
        handshake(port, { servername: 'a.example', maxVersion: 'TLSv1.2', ciphers }),
      ).rejects.toThrow();
    },
  );

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes a %s session with another worker', async (maxVersion) => {
    const store = compile([await certificateFor(['a.example'])], none);
    const ticketKey = randomBytes(48).toString('base64');
    const [first, second, stranger] = [
      await serve(store, ticketKey),
      await serve(store, ticketKey),
      await serve(store),
    ];
    const session = await sessionFrom(first.port, maxVersion);
    const resumed = async (port: number) => {
      const socket = await handshake(port, { servername: 'a.example', session, maxVersion });
      const reused = socket.isSessionReused();
      socket.destroy();
      return reused;
    };
    expect(await resumed(second.port)).toBe(true);
    expect(await resumed(stranger.port)).toBe(false);
  });

  it('swaps certificates under open connections', async () => {
    const [old, fresh] = [
      await certificateFor(['a.example']),
      await certificateFor(['a.example', 'new.example']),
    ];
    const { port, apply } = await serve(compile([old], none));
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      servername: 'a.example',
    });
    expect(await text(session.request({ ':path': '/before' }))).toBe('2.0 /before');
    apply(compile([fresh], none));
    expect(await shown(port, 'new.example')).toContain('new.example');
    expect(await text(session.request({ ':path': '/after' }))).toBe('2.0 /after');
    session.close();
  });
});

async function sessionFrom(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<Buffer> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    servername: 'a.example',
    maxVersion,
  });
  const [session] = (await once(socket, 'session')) as [Buffer];
  socket.destroy();
  return session;
}

describe('a handshake whose time is up', () => {
  const store = async () => compile([await certificateFor(['shop.example.com'])], none);

  it('goes on where it was the process that was held still', async () => {
    const { port, server } = await serve(await store(), undefined, 100);
    // The client's first words lie in the kernel by then.
    server.once('connection', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300));
    const socket = await handshake(port, { servername: 'shop.example.com' });
    expect(socket.getProtocol()).toBe('TLSv1.3');
    socket.destroy();
  });

  it('ends with its connection where the client says nothing', async () => {
    const { port } = await serve(await store(), undefined, 100);
    const socket = connectTcp(port, '127.0.0.1');
    await once(socket.resume(), 'close');
    expect(socket.bytesRead).toBe(0);
  });
});
