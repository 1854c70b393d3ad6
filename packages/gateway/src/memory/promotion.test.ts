import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpUpstream, startUpstream } from '../testing/index.ts';
import type { PromotionReport } from '../testing/promotion-worker.ts';

const worker = path.join(import.meta.dirname, '..', 'testing', 'promotion-worker.ts');
/** Small, so that few requests fill it and many collections are seen. */
const execArgv = ['--max-semi-space-size=2'];

let upstream: HttpUpstream;
let child: ChildProcess;
let port: number;

async function told(): Promise<PromotionReport> {
  const [report] = await once(child, 'message');
  return report as PromotionReport;
}

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    upstream.requests.length = 0;
    request.resume().on('end', () => response.end('hello'));
  });
  child = fork(worker, [upstream.url], { execArgv });
  port = (await told()).port ?? 0;
});

afterAll(async () => {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  await upstream[Symbol.asyncDispose]();
});

/** One client with one connection. Each piece of its request goes out once the gateway had time to read the last. */
async function client(pieces: readonly string[], count: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  for (let sent = 0; sent < count; sent++) {
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    let answer = '';
    while (!answer.endsWith('hello')) answer += String((await once(socket, 'data'))[0]);
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 200));
  }
  socket.destroy();
}

const clients = 8;
const crowd = (pieces: readonly string[], each: number) =>
  Promise.all(Array.from({ length: clients }, () => client(pieces, each)));

const head = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nHost: a.test\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\nCookie: session=6f1c2b9a\r\n${more}\r\n`;
const body = JSON.stringify({
  items: Array.from({ length: 30 }, (_, id) => ({ id, name: 'copper lantern' })),
});
const post = head('POST /orders', `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`);

/** Some bytes become old in any case: compiled code, feedback, what is under way while the collector runs. */
const maxBytesEach = 600;

test.each([
  ['a request without a body', [head('GET /search?q=river')]],
  ['a body in one piece', [post + body]],
  ['a body in several pieces', [post, body.slice(0, 200), body.slice(200)]],
])('%s leaves nothing behind that only a full collection finds', async (_name, pieces) => {
  await crowd(pieces, 250);
  child.send('begin');
  await told();
  await crowd(pieces, 250);
  child.send('end');
  const { promotedBytes = Number.NaN, scavenges } = await told();
  expect(scavenges).toBeGreaterThan(5);
  expect(promotedBytes / (250 * clients)).toBeLessThan(maxBytesEach);
});
