import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HeldMemory } from '../limits/index.ts';
import { ask, certificateFor, exchangesDownTo, startGateway, startUpstream } from '../testing/index.ts';
import { CodedWindow } from './coded-window.ts';
import { LeakWindow } from './leak-window.ts';

const host = 'shop.test';
/** of a site beside it whose answers are only told of */
const watched = 'watched.test';
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
  const beside = {
    ...site,
    id: 'watched',
    domains: [watched],
    response_inspection: { mode: 'log' as const },
  };
  const certificates = secure ? [await certificateFor([host, watched])] : [];
  const gateway = await startGateway(
    { sites: secure ? [site, beside] : [site], certificates },
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

/** @returns an answer's body as it came */
async function received(port: number): Promise<Buffer> {
  const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return buffer(answer);
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
  /** A quarter of it is for decoders: two of gzip. */
  const maxHeldBytes = 1024 * kib;

  /** Each has its head and lets nothing more come. */
  async function readers(httpsPort: number, of = host, count = clients) {
    const session = connectHttp2(`https://${of}:${httpsPort}`, {
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    });
    const streams = Array.from({ length: count }, () => session.request({ ':path': '/' }));
    const cut = new Set<ClientHttp2Stream>();
    for (const stream of streams) stream.on('error', () => cut.add(stream));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    return { cut, [Symbol.dispose]: () => session.destroy() };
  }

  test.each([
    ['block', 'block', 'block', clients - 2],
    ['block', 'pass', 'pass', 0],
    ['log', 'block', 'pass', 0],
  ] as const)(
    'take no room from uploads, and go as the site’s modes say: %s, %s',
    async (mode, overBudget, decided, cut) => {
      const options = { mode, overBudget, maxHeldBytes, secure: true };
      await using stand = await before((response) => response.end(page), options);
      const { port, httpsPort = 0, sink } = stand.gateway;
      using reading = await readers(httpsPort);
      const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await ask(port, '/', { method: 'POST', headers, body: `a=${'x'.repeat(200 * kib)}` });
      expect(answer).toMatchObject({ status: 200, body: 'taken' });
      const told = () => sink.events.filter((event) => event.ruleId === 'memory');
      await sink.until(() => (told().length >= clients - 2 && reading.cut.size >= cut ? true : undefined));
      expect(told().map(({ decision, status }) => ({ decision, status }))).toEqual(
        Array(clients - 2).fill({ decision: decided, status: 200 }),
      );
      expect(reading.cut.size).toBe(cut);
    },
  );

  test('give way to one that is held where theirs is only told of, and that is told too', async () => {
    await using stand = await before((response) => response.end(page), { maxHeldBytes, secure: true });
    const { port, httpsPort = 0, sink } = stand.gateway;
    using reading = await readers(httpsPort, watched, 2);
    expect((await ask(port, '/', { headers: { host } })).status).toBe(200);
    const told = await sink.event((event) => event.ruleId === 'memory');
    expect(told).toMatchObject({ siteId: 'watched', decision: 'pass', status: 200 });
    expect(reading.cut.size).toBe(0);
  });
});

test('a fault while a decoded piece is looked at is its own request’s', async () => {
  const broken = new Proxy(new Set<never>(), {
    get() {
      throw new Error('broken');
    },
  });
  const faults: unknown[] = [];
  const coded = new CodedWindow(new LeakWindow(broken, Buffer.alloc(0)), new HeldMemory(1024 * kib));
  const following = {
    ...({ coding: 'gzip', seen: gzipSync(leak), mayPress: true, giveWay: () => undefined } as const),
    attempt(step: () => void) {
      try {
        step();
      } catch (error) {
        faults.push(error);
      }
    },
  };
  await new Promise((resolve) => void coded.open(following, resolve));
  coded.close();
  expect(faults.map(String)).toEqual(['Error: broken']);
});

describe('a leak behind what was judged of a compressed beginning', () => {
  const line = () => `${randomBytes(16).toString('hex')}${'x'.repeat(800)}\n`;
  const lines = (count: number) => Array.from({ length: count }, line).join('');
  /** Its first 64 KiB hold more than 1 MiB, so that they are not judged in one turn. */
  const dense = gzipSync(`${lines(700)}${leak}${lines(3000)}`);
  const clean = gzipSync(`${lines(700)}${lines(3000)}`);

  test.each(['ends', 'falls silent', 'goes on'])('withholds an answer that then %s', async (what) => {
    await using stand = await before((response) => {
      response.write(what === 'goes on' ? dense : dense.subarray(0, 70 * kib));
      if (what === 'ends') response.end();
    });
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
    await stand.gateway.sink.event((one) => one.message.startsWith('Withheld'));
    await exchangesDownTo(0);
  });

  test.each([20 * kib, clean.length])('passes on what is clean, %d bytes of it', async (length) => {
    const bytes = clean.subarray(0, length);
    await using stand = await before((response) => response.end(bytes));
    expect(await received(stand.gateway.port)).toEqual(bytes);
    await exchangesDownTo(0);
  });

  test('is found in few bytes that grow to a lot', async () => {
    const small = gzipSync(`${'x'.repeat(900 * kib)}\n${leak}\n${'x'.repeat(1200 * kib)}`);
    expect(small.length).toBeLessThan(20 * kib);
    await using stand = await before((response) => response.end(small));
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
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
