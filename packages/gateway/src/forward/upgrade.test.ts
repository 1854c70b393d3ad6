import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  openSockets,
  socketsDownTo,
  speak,
  startGateway,
  startRawUpstream,
  startUpstream,
} from '../testing/index.ts';

const handshake = (more = '') =>
  `GET /chat?room=1 HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

const switched =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';

async function startChat() {
  const upstream = await startUpstream((_request, response) => void response.end('plain'));
  upstream.server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    upstream.requests.push(request);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    if (head.length > 0) socket.write(head);
    socket.on('data', (bytes: Buffer) => socket.write(bytes));
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
  });
  return upstream;
}

describe('WebSocket', () => {
  test('is switched and carries bytes both ways', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ id: 'chat', backend_url: upstream.url }] });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(handshake());
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(
      /^HTTP\/1\.1 101 .*\r\n(.*\r\n)*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/i,
    );
    socket.write('ping');
    expect(String((await once(socket, 'data'))[0])).toBe('ping');
    socket.end();
    await once(socket, 'close');
    const counted = await gateway.sink.until(() =>
      gateway.sink.counters.find((one) => one.siteId === 'chat'),
    );
    expect(counted).toMatchObject({ requests: 1, statuses: [1, 0, 0, 0, 0], bytesIn: 4, bytesOut: 4 });
    expect(upstream.requests[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  test('goes on under a new configuration, which the next handshake meets', async () => {
    await using upstream = await startChat();
    const sites = [{ id: 'chat', backend_url: upstream.url }];
    await using gateway = await startGateway({ sites });
    const socket = connect(gateway.port, '127.0.0.1');
    const says = async (bytes: string) => {
      socket.write(bytes);
      return String((await once(socket, 'data'))[0]);
    };
    expect(await says(handshake())).toMatch(/^HTTP\/1\.1 101 /);
    gateway.configure({
      sites,
      addressLists: [{ id: 'all', name: 'All', action: 'block', entries: ['0.0.0.0/0'] }],
    });
    expect(await speak(gateway.port, handshake())).toMatch(/^HTTP\/1\.1 403 /);
    expect(await says('still here')).toBe('still here');
    gateway.configure({ sites: [] });
    expect(await speak(gateway.port, handshake())).toMatch(/^HTTP\/1\.1 404 /);
    expect(await says('and here')).toBe('and here');
    socket.end();
    await once(socket, 'close');
    expect(upstream.requests).toHaveLength(1);
  });

  test('ends towards the upstream when the client goes', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const socket = connect(gateway.port, '127.0.0.1');
    const switched = once(upstream.server, 'upgrade');
    socket.write(handshake());
    const [, upstreamSocket] = (await switched) as [unknown, Socket];
    await once(socket, 'data');
    const closed = once(upstreamSocket, 'close');
    socket.destroy();
    await closed;
  });

  test('an upstream that declines has its answer passed on', async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(426, { 'X-Why': 'no' }).end('not here');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await speak(gateway.port, handshake());
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(answer).toContain('X-Why: no');
    expect(answer).toContain('not here');
  });

  test('another upstream is asked where one cannot be reached', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({
      sites: [{ backend_url: 'http://127.0.0.1:9', upstream: { further: [{ url: upstream.url }] } }],
    });
    for (let sent = 0; sent < 2; sent++) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(`${handshake()}early`);
      let heard = '';
      while (!heard.endsWith('early')) heard += String((await once(socket, 'data'))[0]);
      expect(heard).toMatch(/^HTTP\/1\.1 101 /);
      socket.destroy();
    }
    expect(gateway.sink.events).toEqual([]);
  });

  test('an upstream that is down gives 502', async () => {
    await using gateway = await startGateway({ sites: [{}] });
    expect(await speak(gateway.port, handshake())).toMatch(/^HTTP\/1\.1 502 /);
  });
});

/** Behind a switch nobody looks at what is said: what is no plain WebSocket handshake must not be one to anybody. */
describe('upgrades that are none', () => {
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: a.test\r\n\r\n';
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const ask = (method: string, lines: string, body = '') =>
    `${method} /chat HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n${body}`;

  test.each<[name: string, bytes: string, status: number]>([
    [
      'h2c',
      ask('GET', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      200,
    ],
    ['TLS', ask('GET', 'Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n'), 200],
    ['h2c before websocket', ask('GET', `Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n${key}`), 200],
    [
      'two Upgrade lines',
      ask('GET', `Connection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket\r\n${key}`),
      200,
    ],
    ['a websocket without key', ask('GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
    ['a websocket that no Connection names', ask('GET', `Upgrade: websocket\r\n${key}`), 200],
    [
      'a websocket of HTTP/1.0',
      ask('GET', `Connection: Upgrade, keep-alive\r\nUpgrade: websocket\r\n${key}`).replace('/1.1', '/1.0'),
      200,
    ],
    [
      'a websocket by POST',
      ask('POST', `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}Content-Length: 2\r\n`, 'ab'),
      200,
    ],
    [
      'a websocket with a body',
      ask('GET', `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}Content-Length: 2\r\n`, 'ab'),
      200,
    ],
    [
      'a websocket with a chunked body',
      ask(
        'GET',
        `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}Transfer-Encoding: chunked\r\n`,
        '2\r\nab\r\n0\r\n\r\n',
      ),
      200,
    ],
    [
      'Connection that names a forwarding header too',
      ask('GET', `Connection: Upgrade, X-Forwarded-For\r\nUpgrade: websocket\r\n${key}`),
      400,
    ],
    [
      'a websocket with two Hosts',
      ask('GET', `Host: b.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}`),
      400,
    ],
  ])('%s is an ordinary request', async (_name, bytes, status) => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    // The next request of the same connection shows that it is still read, not joined.
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(bytes);
    const [head] = await once(socket, 'data');
    socket.write(closing);
    const answer = `${head}${await text(socket)}`;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toContain(' 101 ');
    const [first, second] = upstream.requests;
    expect(upstream.requests).toHaveLength(status === 200 ? 2 : 0);
    expect(Object.keys(first?.headers ?? {})).not.toEqual(expect.arrayContaining(['upgrade']));
    if (status === 200) expect(second?.url).toBe('/next');
  });

  const closing = 'GET /next HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';

  test.each([
    ['a version that the upstream declines', 'Sec-WebSocket-Version: 777\r\n'],
    ['a version that is no number', 'Sec-WebSocket-Version: x\r\n'],
  ])('what follows a handshake of %s never reaches the upstream', async (_name, version) => {
    const heard: string[] = [];
    await using upstream = await startRawUpstream((socket, bytes) => {
      heard.push(bytes.toString());
      socket.write('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const lines = `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}${version}`;
    expect(await speak(gateway.port, ask('GET', lines, hidden))).toMatch(/^HTTP\/1\.1 426 /);
    expect(heard.join('')).not.toContain('/hidden');
  });

  test.each([
    ['no accept', ''],
    ['the accept of another key', 'Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n'],
  ])('what follows a 101 with %s never reaches the upstream', async (_name, accept) => {
    const heard: string[] = [];
    await using upstream = await startRawUpstream((socket, bytes) => {
      heard.push(bytes.toString());
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${accept}\r\n`,
      );
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const lines = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}`;
    expect(await speak(gateway.port, ask('GET', lines, hidden))).toMatch(/^HTTP\/1\.1 502 /);
    expect(heard.join('')).not.toContain('/hidden');
  });

  test.each(['unknown.test', 'a.test'])(
    'a client that leaves behind a refused handshake of %s is let go',
    async (name) => {
      await using upstream = await startRawUpstream((socket) => {
        socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      });
      await using gateway = await startGateway({
        sites: [{ domains: ['a.test'], backend_url: upstream.url }],
      });
      const before = openSockets();
      const lines = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}`;
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(ask('GET', lines, '\x81\x02hi').replace('Host: a.test', `Host: ${name}`));
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 4(?:04|26) /);
      socket.destroy();
      await socketsDownTo(before);
    },
  );

  test('a client that leaves within the answer that declines it frees the upstream', async () => {
    await using upstream = await startRawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const before = openSockets();
    const lines = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}`;
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(ask('GET', lines));
    await once(socket, 'data');
    socket.destroy();
    await socketsDownTo(before);
  });

  test('a client that does not read the answer that declines it holds the upstream for a while only', async () => {
    const left = Promise.withResolvers<void>();
    await using upstream = await startRawUpstream((socket) => {
      socket.on('close', () => left.resolve());
      const piece = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on('drain', write).write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      write();
    });
    await using gateway = await startGateway({
      general: { idleTimeout: 5 },
      sites: [{ backend_url: upstream.url }],
    });
    const socket = connect(gateway.port, '127.0.0.1').pause();
    socket.write(handshake());
    await left.promise;
    socket.destroy();
  });

  test.each<[how: string, ahead: string, leave: (client: Socket) => void]>([
    ['ends its side', '', (client) => client.end()],
    ['resets', '', (client) => client.resetAndDestroy()],
    ['spoke ahead and ends its side', 'early', (client) => client.end(' bytes')],
  ])(
    'a client that leaves before its handshake is answered frees the upstream: it %s',
    async (_how, ahead, leave) => {
      const left = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      await using upstream = await startRawUpstream((socket) => {
        socket.on('close', () => left.resolve());
        asked.resolve();
      });
      await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
      const client = connect(gateway.port, '127.0.0.1');
      client.resume().write(`${handshake()}${ahead}`);
      await asked.promise;
      leave(client);
      await left.promise;
    },
  );

  test('what a client says ahead of the answer to its handshake reaches the upstream, in order', async () => {
    const shaken = Promise.withResolvers<Socket>();
    await using upstream = await startUpstream();
    upstream.server.on('upgrade', (_request, socket: Socket) => shaken.resolve(socket));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const client = connect(gateway.port, '127.0.0.1');
    client.write(`${handshake()}one `);
    const served = await shaken.promise;
    client.write('two ');
    client.write('three');
    served.write(switched);
    let heard = '';
    for await (const bytes of served) {
      heard += String(bytes);
      if (heard.length === 'one two three'.length) break;
    }
    expect(heard).toBe('one two three');
    client.destroy();
  });

  test('whoever only asks for a switch gets no answer past its inspection', async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Access-Control-Allow-Origin': '*' });
      response.end('ORA-01756: quoted string not properly terminated');
    });
    const inspected = { response_inspection: { mode: 'block' }, cors: { enabled: true } } as const;
    await using gateway = await startGateway({
      sites: [
        { domains: ['a.test'], backend_url: upstream.url, ...inspected },
        { domains: ['b.test'], backend_url: upstream.url, cors: { enabled: true } },
      ],
    });
    const withheld = await speak(gateway.port, handshake());
    expect(withheld).toMatch(/^HTTP\/1\.1 502 /);
    expect(withheld).not.toContain('ORA-01756');
    const passed = await speak(gateway.port, handshake().replace('a.test', 'b.test'));
    expect(passed).toContain('ORA-01756');
    expect(passed).toContain('Vary: Origin');
    expect(passed).not.toContain('Access-Control-Allow-Origin');
  });

  test('a handshake is inspected like any request', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const attack = handshake().replace(
      'room=1',
      `room=${encodeURIComponent("1' UNION SELECT password FROM users--")}`,
    );
    expect(await speak(gateway.port, attack)).toMatch(/^HTTP\/1\.1 403 /);
    expect(upstream.requests).toEqual([]);
  });
});
