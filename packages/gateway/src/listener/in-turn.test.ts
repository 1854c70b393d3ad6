import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  exchangesDownTo,
  type HttpUpstream,
  openSockets,
  type StartedGateway,
  socketsDownTo,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const handshake = get('/socket').replace(
  '\r\n\r\n',
  '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
);

/** answers that the upstream has yet to give, by path */
const waiting = new Map<string, ServerResponse>();
let arrived: () => void = () => undefined;
let upstream: HttpUpstream;
let gateway: StartedGateway;
let quiet = 0;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    // So that none stays open that the tests would have to tell from a leak.
    response.setHeader('Connection', 'close');
    if (request.url?.startsWith('/wait')) waiting.set(request.url, response);
    else response.end(`answer to ${request.url}`);
    arrived();
  });
  gateway = await startGateway({
    certificates: [await certificateFor([host])],
    sites: [{ domains: [host], backend_url: upstream.url, ssl: { enabled: true, redirect: false } }],
  });
  quiet = openSockets();
});

beforeEach(() => {
  waiting.clear();
  upstream.requests.length = 0;
});

afterAll(async () => {
  await exchangesDownTo(0);
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

async function reached(count: number): Promise<void> {
  while (upstream.requests.length < count) {
    await new Promise<void>((resolve) => {
      arrived = resolve;
    });
  }
}

const doors: [name: string, open: () => Socket][] = [
  ['clear', () => connect(gateway.port, '127.0.0.1')],
  ['TLS', () => connectTls({ port: gateway.httpsPort ?? 0, servername: host, rejectUnauthorized: false })],
];

/** Speaks, and gathers what comes back. */
function client(open: () => Socket, bytes: string) {
  const socket = open();
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const until = async (wanted: string) => {
    while (!text.includes(wanted)) await once(socket, 'data');
  };
  socket.write(bytes);
  return { socket, until, text: () => text };
}

test.each(doors)(
  '%s: requests sent ahead are answered one after the other, in order',
  async (_door, open) => {
    const { socket, until, text } = client(open, get('/wait') + get('/second') + get('/third'));
    await reached(1);
    // Whatever went on at once would be there before an exchange of its own is.
    await ask(gateway.port, '/other', { headers: { Host: host } });
    expect(upstream.requests.map((one) => one.url)).toEqual(['/wait', '/other']);
    waiting.get('/wait')?.end('first');
    await until('answer to /third');
    expect(text().match(/first|answer to \/[a-z]+/g)).toEqual([
      'first',
      'answer to /second',
      'answer to /third',
    ]);
    socket.destroy();
    await socketsDownTo(quiet);
  },
);

test.each(doors)('%s: a client that leaves takes along what it sent ahead', async (_door, open) => {
  const { socket } = client(open, get('/wait').repeat(16));
  await reached(1);
  socket.destroy();
  await socketsDownTo(quiet);
  expect(upstream.requests).toHaveLength(1);
  // Who is counted as waiting for ever is soon refused whatever it asks.
  expect((await ask(gateway.port, '/', { headers: { Host: host } })).status).toBe(200);
});

test('a connection that sends more than sixteen ahead is closed', async () => {
  const { socket, text } = client(() => connect(gateway.port, '127.0.0.1'), get('/wait').repeat(18));
  await once(socket, 'close');
  expect(text()).toBe('');
  await socketsDownTo(quiet);
});

test('a handshake behind a request that is not answered yet is an ordinary request', async () => {
  const { socket, until, text } = client(() => connect(gateway.port, '127.0.0.1'), get('/wait') + handshake);
  await reached(1);
  waiting.get('/wait')?.end('first');
  await until('answer to /socket');
  expect(text()).not.toContain(' 101 ');
  expect(upstream.requests.at(-1)?.headers.upgrade).toBeUndefined();
  socket.destroy();
  await socketsDownTo(quiet);
});

test.each([
  ['TLS: a handshake', () => doors[1]?.[1]() as Socket, handshake],
  ['CONNECT', () => doors[0]?.[1]() as Socket, 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n'],
])('%s behind a request that is not answered yet ends the connection', async (_name, open, second) => {
  const { socket, text } = client(open, get('/wait') + second);
  await once(socket, 'close');
  expect(text()).toBe('');
  await socketsDownTo(quiet);
});
