import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  data,
  type Field,
  flag,
  frame,
  frameType,
  headers,
  openHttp2,
  rstStream,
  uint32,
} from '../../packages/gateway/src/testing/http2-frames.ts';
import type { Client } from './honest.ts';
import { must } from './tally.ts';

const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: bench.test\r\n${more}\r\n`;
const sql = encodeURIComponent("1' UNION SELECT password FROM users--");

/** Says bytes and hears the gateway out. */
async function heard(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  socket.write(bytes);
  await once(socket, 'close');
  return said;
}

/** Each with the beginning of the one answer that it must get. */
const malicious: [bytes: string, answer: string][] = [
  [head(`GET /?id=${sql}`, 'Connection: close\r\n'), 'HTTP/1.1 403'],
  ['nonsense\r\n\r\n', 'HTTP/1.1 400'],
  [head('POST /', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'), 'HTTP/1.1 400'],
  [`${head('POST /', 'Transfer-Encoding: chunked\r\n')}zz\r\n`, 'HTTP/1.1 400'],
  [head('GET /', `X-Large: ${'x'.repeat(40_000)}\r\n`), 'HTTP/1.1 431'],
  [head('GET /gone', 'Connection: close\r\n'), 'HTTP/1.1 502'],
  [head('GET /short', 'Connection: close\r\n'), 'HTTP/1.1 200'],
];

const attack: Client = async ({ httpPort }, index) => {
  const [bytes, answer] = malicious[index % malicious.length] ?? ['', ''];
  const said = await heard(httpPort, bytes);
  must(said.startsWith(answer), `${answer}, but ${said.slice(0, 12) || 'nothing'}`);
};

/** Said and left in the middle, while the gateway reads, asks the upstream, or answers. */
const unfinished = [
  head('GET /never'),
  head('GET /endless'),
  `${head('POST /length', 'Content-Length: 5000\r\n')}part`,
  head('POST /length', 'Content-Length: 900000\r\n') + 'x'.repeat(200_000),
  'GET / HTTP/1.1\r\nHost: ben',
  head('GET /chat', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
  `${head('POST /length', 'Transfer-Encoding: chunked\r\n')}4\r\npart\r\n`,
  head('GET /never').repeat(20),
  head('GET /never') +
    head('GET /chat', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
  `CONNECT bench.test:443 HTTP/1.1\r\nHost: bench.test:443\r\n\r\n${'x'.repeat(70_000)}`,
];

const leave: Client = async ({ httpPort }, index) => {
  const socket = connect(httpPort, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(unfinished[index % unfinished.length] ?? '');
  await pause(index % 40);
  // Some close their connection, some tear it.
  if (index % 2 === 0) socket.destroy();
  else socket.resetAndDestroy();
  // The soak is not to be about them alone: neither here nor with floods.
  await pause(50);
};

const fields = (path: string): Field[] => [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'bench.test'],
  [':path', path],
];
const whole = (id: number) => headers(id, fields('/never'));
const floods: ((index: number, id: number) => Buffer[])[] = [
  (_, id) => [whole(id), rstStream(id)],
  (_, id) => [whole(id), frame(frameType.windowUpdate, 0, id, uint32(0))],
  (_, id) => [whole(id), data(id, 'behind the end')],
  (_, id) => [headers(id, fields('/'), flag.endHeaders), rstStream(id)],
  () => [frame(frameType.ping, 0, 0, Buffer.alloc(8))],
  (at) => [at === 0 ? headers(1, fields('/'), 0) : frame(frameType.continuation, 0, 1)],
];

/** Rounds after which a flood counts as let through. */
const maxRounds = 200_000;

/** Floods one connection until the gateway has had enough. */
const flood: Client = async ({ httpsPort }, index) => {
  const connection = await openHttp2(httpsPort, 'bench.test');
  const round = floods[index % floods.length];
  let at = 0;
  while (!connection.closed && at < maxRounds) {
    await connection.send(...Array.from({ length: 50 }, () => round?.(at, 2 * at++ + 1) ?? []).flat());
  }
  // A busy gateway reads what the kernel holds later than we said it.
  if (!connection.closed) await Promise.race([connection.ended, pause(20_000)]);
  must(connection.closed, `flood ${index % floods.length} was let through`);
  await connection.end();
  await pause(200);
};

/** Clients that deserve nothing, and how many of each are at it at once. */
export const rude: Record<string, { readonly atOnce: number; readonly client: Client }> = {
  'attacks and nonsense': { atOnce: 2, client: attack },
  'clients that leave in the middle': { atOnce: 3, client: leave },
  'floods of HTTP/2 frames': { atOnce: 1, client: flood },
};
