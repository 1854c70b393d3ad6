import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, certificateFor, startGateway, startUpstream } from '../testing/index.ts';

const host = 'shop.test';
const kib = 1024;
const leak = 'ORA-01756: quoted string not properly terminated';

interface Stand {
  readonly mode?: 'log' | 'block';
  readonly overBudget?: 'block' | 'pass';
  readonly maxHeldBytes?: number;
  readonly secure?: boolean;
}

/** A gateway before a site that answers GET so. */
async function before(answer: (response: ServerResponse) => void, stand: Stand = {}) {
  const { mode = 'block', overBudget = 'block', maxHeldBytes, secure = false } = stand;
  const upstream = await startUpstream((incoming, response) => {
    incoming.resume();
    if (incoming.method === 'POST') response.end('taken');
    else answer(response.setHeader('Content-Type', 'text/html').setHeader('Content-Encoding', 'gzip'));
  });
  const site = {
    backend_url: upstream.url,
    ...(secure ? { domains: [host] } : {}),
    response_inspection: { mode },
    failure_modes: { over_budget: overBudget },
  };
  const certificates = secure ? [await certificateFor([host])] : [];
  const gateway = await startGateway(
    { sites: [site], certificates },
    maxHeldBytes === undefined ? {} : { maxHeldBytes },
  );
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** @returns how the answer ended, once all of it that comes is read */
async function ending(port: number): Promise<'whole' | 'cut'> {
  const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return new Promise((resolve) => {
    answer.on('end', () => resolve('whole')).on('error', () => resolve('cut'));
  });
}

describe('clients that read nothing of a long compressed answer', () => {
  const page = gzipSync(randomBytes(150 * kib).toString('hex'));
  const clients = 12;

  /** Each has its head and lets nothing more come. */
  async function readers(httpsPort: number) {
    const session = connectHttp2(`https://${host}:${httpsPort}`, {
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    });
    const streams = Array.from({ length: clients }, () => session.request({ ':path': '/' }));
    const cut = new Set<ClientHttp2Stream>();
    for (const stream of streams) stream.on('error', () => cut.add(stream));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    return { cut, [Symbol.dispose]: () => session.destroy() };
  }

  test.each([
    ['block', clients - 2],
    ['pass', 0],
  ] as const)(
    'take no room from uploads, and give way as the site’s mode says: %s',
    async (overBudget, cut) => {
      // A quarter of it is for decoders: two of gzip.
      const options = { overBudget, maxHeldBytes: 1024 * kib, secure: true };
      await using stand = await before((response) => response.end(page), options);
      const { port, httpsPort = 0, sink } = stand.gateway;
      using reading = await readers(httpsPort);
      const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await ask(port, '/', { method: 'POST', headers, body: `a=${'x'.repeat(200 * kib)}` });
      expect(answer).toMatchObject({ status: 200, body: 'taken' });
      const told = () => sink.events.filter((event) => event.ruleId === 'memory');
      await sink.until(() => (told().length >= clients - 2 && reading.cut.size >= cut ? true : undefined));
      expect(told().map(({ decision, status }) => ({ decision, status }))).toEqual(
        Array(clients - 2).fill({ decision: overBudget, status: 200 }),
      );
      expect(reading.cut.size).toBe(cut);
    },
  );
});

describe('a leak behind what was judged of a compressed beginning', () => {
  const line = () => `${randomBytes(16).toString('hex')}${'x'.repeat(800)}\n`;
  const lines = (count: number) => Array.from({ length: count }, line).join('');
  /** Its first 64 KiB hold more than 1 MiB, so that less of them was judged; the leak stands behind that. */
  const dense = gzipSync(`${lines(700)}${leak}${lines(3000)}`);

  test.each(['ends', 'falls silent'])('cuts off an answer that then %s', async (what) => {
    await using stand = await before((response) => {
      response.write(dense.subarray(0, 70 * kib));
      if (what === 'ends') response.end();
    });
    expect(await ending(stand.gateway.port)).toBe('cut');
    await stand.gateway.sink.event((one) => one.message.startsWith('Cut off'));
  });

  test('is told of in log mode', async () => {
    await using stand = await before((response) => response.end(dense), { mode: 'log' });
    expect(await ending(stand.gateway.port)).toBe('whole');
    await stand.gateway.sink.event((one) => one.message.startsWith('Noticed'));
  });

  test.each(['length', 'close'])('and in the last piece, where the end comes with it by %s', async (by) => {
    const page = gzipSync(`${randomBytes(250 * kib).toString('hex')}\n${leak}`);
    await using stand = await before((response) => {
      if (by === 'length') response.setHeader('Content-Length', page.length);
      else response.setHeader('Connection', 'close').removeHeader('Transfer-Encoding');
      response.write(page.subarray(0, 250 * kib), () =>
        setImmediate(() => response.end(page.subarray(250 * kib))),
      );
    });
    expect(await ending(stand.gateway.port)).toBe('cut');
  });
});
