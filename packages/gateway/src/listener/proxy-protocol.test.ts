import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { addressSetOf } from '../access/index.ts';
import { ProxiedConnections, parseProxyHeader } from './index.ts';

const signature = '\r\n\r\n\0\r\nQUIT\n';
const binary = (command: number, family: number, address: number[]) =>
  Buffer.concat([
    Buffer.from(signature, 'latin1'),
    Buffer.from([command, family, address.length >> 8, address.length & 255]),
    Buffer.from(address),
  ]);
const v4Block = [198, 51, 100, 7, 10, 0, 0, 1, 0x12, 0x67, 0x1f, 0x90];
const v6Block = [
  0x20,
  1,
  0xd,
  0xb8,
  ...new Array(11).fill(0),
  1,
  ...new Array(16).fill(0),
  0x12,
  0x67,
  0,
  80,
];
const mapped = [...new Array(10).fill(0), 255, 255, 198, 51, 100, 7];

describe('a PROXY header', () => {
  it.each([
    ['PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n', { address: '198.51.100.7', port: 4711 }],
    ['PROXY TCP6 2001:db8::1 ::1 4711 8080\r\n', { address: '2001:db8::1', port: 4711 }],
    ['PROXY TCP6 2001:DB8:0::1 ::1 4711 8080\r\n', { address: '2001:db8::1', port: 4711 }],
    ['PROXY TCP6 ::ffff:198.51.100.7 ::1 4711 8080\r\n', { address: '198.51.100.7', port: 4711 }],
    ['PROXY TCP6 ::FFFF:c633:6407 ::1 4711 8080\r\n', { address: '198.51.100.7', port: 4711 }],
    ['PROXY UNKNOWN\r\n', undefined],
    ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', undefined],
  ])('of version 1 is read: %j', (line, source) => {
    const header = parseProxyHeader(Buffer.from(`${line}GET / HTTP/1.1`));
    expect(header).toEqual({ status: 'complete', bytes: line.length, ...(source && { source }) });
  });

  it.each([
    ['IPv4', binary(0x21, 0x11, v4Block), { address: '198.51.100.7', port: 4711 }],
    ['IPv6', binary(0x21, 0x21, v6Block), { address: '2001:db8::1', port: 4711 }],
    [
      'IPv4 within IPv6',
      binary(0x21, 0x21, [...mapped, ...v6Block.slice(16)]),
      { address: '198.51.100.7', port: 4711 },
    ],
    [
      'IPv4 with further fields',
      binary(0x21, 0x11, [...v4Block, 4, 0, 1, 0]),
      { address: '198.51.100.7', port: 4711 },
    ],
    ['the balancer itself', binary(0x20, 0x11, v4Block), undefined],
    ['a Unix socket', binary(0x21, 0x31, new Array(216).fill(0)), undefined],
  ])('of version 2 is read: %s', (_case, bytes, source) => {
    expect(parseProxyHeader(bytes)).toEqual({
      status: 'complete',
      bytes: bytes.length,
      ...(source && { source }),
    });
  });

  it.each([
    'GET / HTTP/1.1\r\n\r\n',
    'PROXY TCP4 198.51.100.7 10.0.0.1 4711\r\n',
    'PROXY TCP4 2001:db8::1 ::1 4711 8080\r\n',
    'PROXY TCP6 fe80::1%eth0 ::1 4711 8080\r\n',
    'PROXY TCP4 198.51.100.7 10.0.0.1 04711 8080\r\n',
    'PROXY TCP4 198.51.100.7 10.0.0.1 4711 70000\r\n',
    'PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080 more\r\n',
    'PROXY UDP4 198.51.100.7 10.0.0.1 4711 8080\r\n',
    `PROXY TCP4 ${'1'.repeat(200)}`,
    `${signature}\x31\x11\0\0`,
    `${signature}\x21\x11\0\x04\0\0\0\0`,
    `${signature}\x21\x11\xff\xff`,
  ])('is refused: %j', (raw) => {
    expect(parseProxyHeader(Buffer.from(raw, 'latin1')).status).toBe('invalid');
  });

  it('is the same however the bytes are cut', () => {
    const whole = [
      Buffer.from('PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n'),
      binary(0x21, 0x21, v6Block),
    ];
    for (const bytes of whole) {
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(parseProxyHeader(bytes.subarray(0, cut)).status).toBe('incomplete');
      }
    }
  });

  it('is never a crash', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('', 'PROXY ', signature),
        (tail, head) => {
          parseProxyHeader(Buffer.concat([Buffer.from(head, 'latin1'), tail]));
        },
      ),
    );
  });
});

describe('connections through a balancer', () => {
  const servers: HttpServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function serve(trusted: string[]) {
    const refused: string[] = [];
    const connections = new ProxiedConnections({
      policy: () => ({ enabled: true, trusted: addressSetOf(trusted) }),
      onRefused: (_peer, reason) => refused.push(reason),
      timeoutMs: 200,
    });
    const server = createHttp((request, response) => {
      const source = connections.sourceOf(request.socket)?.address ?? 'direct';
      void text(request).then((body) => response.end(`${source} ${request.url} ${body}\n`));
    });
    connections.attach(server);
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, refused, server, connections };
  }

  async function send(port: number, ...chunks: (string | Buffer)[]): Promise<string> {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    for (const chunk of chunks) await new Promise((resolve) => socket.write(chunk, resolve));
    return text(socket);
  }
  const post = (path: string, last: boolean) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n${last ? 'Connection: close\r\n' : ''}\r\nbody`;

  it('are told from their true source on every request, header and request in one packet or many', async () => {
    const { port } = await serve(['127.0.0.0/8']);
    const line = 'PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n';
    const together = await send(port, line + post('/1', false) + post('/2', true));
    expect(together.match(/198\.51\.100\.7 \S+ body/g)).toEqual([
      '198.51.100.7 /1 body',
      '198.51.100.7 /2 body',
    ]);
    const apart = await send(port, ...line, ...post('/3', true));
    expect(apart).toContain('198.51.100.7 /3 body');
    const v2 = await send(port, binary(0x21, 0x11, v4Block), post('/4', true));
    expect(v2).toContain('198.51.100.7 /4 body');
  });

  it('are closed where a trusted balancer sends none, or not in time', async () => {
    const { port, refused } = await serve(['127.0.0.0/8']);
    expect(await send(port, post('/', true)).catch(() => '')).toBe('');
    expect(await send(port, 'PROXY TCP4').catch(() => '')).toBe('');
    expect(refused).toEqual([
      'the connection does not begin with a PROXY header',
      'the PROXY header did not arrive in time',
    ]);
  });

  it.each([
    ['the header', 60],
    ['a part of it', 4],
  ])('go on where it was the process that was held still, and the kernel has %s', async (_what, length) => {
    const { port, refused, server } = await serve(['127.0.0.0/8']);
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    const bytes = `PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n${post('/late', true)}`;
    socket.write(bytes.slice(0, length));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    setTimeout(() => socket.write(bytes.slice(length)), 50);
    expect(await text(socket)).toContain('198.51.100.7 /late body');
    expect(refused).toEqual([]);
  });

  it('are told apart by both of their ends', async () => {
    const connections = new ProxiedConnections({
      policy: () => ({ enabled: true, trusted: addressSetOf(['127.0.0.0/8']) }),
      onRefused: () => undefined,
    });
    const open = async (host: string, listens: number) => {
      const server = createHttp(({ socket }, response) =>
        response.end(`from ${connections.sourceOf(socket)?.address}`),
      );
      connections.attach(server);
      servers.push(server.listen(listens, host));
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    };
    const port = await open('127.0.0.1', 0);
    await open('127.0.0.2', port);
    const free = createHttp().listen(0, '127.0.0.3');
    await once(free, 'listening');
    const localPort = (free.address() as AddressInfo).port;
    free.close();
    const ends = ['127.0.0.1', '127.0.0.2'].map((host) =>
      connect({ host, port, localAddress: '127.0.0.3', localPort }),
    );
    const say = async (at: number, bytes: string) => {
      ends[at]?.write(`${bytes}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
      const [answer] = await once(ends[at] as Socket, 'data');
      return /from (\S+)/.exec(String(answer))?.[1];
    };
    expect(await say(0, 'PROXY TCP4 198.51.100.7 10.0.0.1 1 80\r\n')).toBe('198.51.100.7');
    expect(await say(1, 'PROXY TCP4 198.51.100.8 10.0.0.1 1 80\r\n')).toBe('198.51.100.8');
    expect(await say(0, '')).toBe('198.51.100.7');
    ends[1]?.destroy();
    ends[0]?.destroy();
  });

  it('that are closed are nobody’s, not the balancer’s own', async () => {
    const { server, connections, port } = await serve(['127.0.0.0/8']);
    const closed = once(server, 'connection').then(async ([socket]: Socket[]) => {
      if (socket === undefined) throw new Error('no connection');
      await once(socket, 'close');
      return connections.sourceOf(socket);
    });
    await send(port, `PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n${post('/', true)}`);
    expect(await closed).toEqual({ address: '', port: 0 });
  });

  it('get no hearing for the header where the sender is a stranger', async () => {
    const { port } = await serve(['203.0.113.0/24']);
    expect(await send(port, `PROXY TCP4 198.51.100.7 10.0.0.1 4711 8080\r\n${post('/', true)}`)).toContain(
      '400',
    );
    expect(await send(port, post('/', true))).toContain('direct / body');
  });
});
