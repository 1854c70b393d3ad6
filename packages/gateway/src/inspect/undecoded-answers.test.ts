import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, exchangesDownTo, startGateway, startUpstream } from '../testing/index.ts';

const kib = 1024;
const leak = 'ORA-01756: quoted string not properly terminated';
const page = `<h1>Shop</h1>${'<p>more</p>'.repeat(50)}`;
/** Too varied to be compressed to less than what is held at first. */
const varied = (kibs: number) => randomBytes(kibs * kib).toString('hex');

interface Stand {
  readonly mode?: 'log' | 'block';
  readonly undecoded?: 'block' | 'pass';
}

/** A gateway before a site that answers so, and the codings that the site was asked for. */
async function before(answer: (response: ServerResponse) => void, stand: Stand = {}) {
  const { mode = 'block', undecoded = 'block' } = stand;
  const asked: (string | undefined)[] = [];
  const upstream = await startUpstream((incoming, response) => {
    asked.push(incoming.headers['accept-encoding']);
    answer(response.setHeader('Content-Type', 'text/html'));
  });
  const site = {
    backend_url: upstream.url,
    response_inspection: { mode },
    failure_modes: { undecoded },
  };
  const gateway = await startGateway({ sites: [site] });
  return {
    gateway,
    asked,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** What a client got, and whether that was all. */
async function received(port: number): Promise<{ body: Buffer; whole: boolean }> {
  const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => pieces.push(piece));
  const whole = await new Promise<boolean>((resolve) => {
    answer.on('end', () => resolve(true)).on('error', () => resolve(false));
  });
  return { body: Buffer.concat(pieces), whole };
}

const coded = (codings: string | string[], body: Buffer) => (response: ServerResponse) =>
  void response.setHeader('Content-Encoding', codings).end(body);

/** A body that is sound up to some byte, where a block begins that is none. */
const damaged: Readonly<Record<'gzip' | 'deflate' | 'br' | 'zstd', (text: string) => Buffer>> = {
  gzip: (text) => Buffer.concat([gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH }), rest(0xff)]),
  deflate: (text) => Buffer.concat([deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH }), rest(0xff)]),
  br: (text) =>
    Buffer.concat([brotliCompressSync(text, { finishFlush: constants.BROTLI_OPERATION_FLUSH }), rest(0x0e)]),
  zstd: (text) =>
    Buffer.concat([zstdCompressSync(text, { finishFlush: constants.ZSTD_e_flush }), rest(0xff)]),
};
const restLength = 100 * kib;
const rest = (byte: number) => Buffer.alloc(restLength, byte);

describe('an answer that cannot be decoded', () => {
  const cases: [string, string, Buffer][] = [
    ['comes in a coding that nobody reads', 'compress', Buffer.from(page)],
    ['comes in a dictionary’s coding', 'dcb', Buffer.from(page)],
    ['comes in two codings', 'gzip, br', brotliCompressSync(gzipSync(page))],
    ['is not what it says', 'gzip', Buffer.from(page)],
    ['is no frame of zstd', 'zstd', Buffer.from(page)],
    ['is damaged', 'gzip', damaged.gzip(page)],
    ['is damaged in a further member', 'gzip', Buffer.concat([gzipSync(page), damaged.gzip(page)])],
    ['is of more members than anybody writes', 'gzip', Buffer.alloc(2000 * 20, gzipSync(''))],
    ['wants a dictionary', 'deflate', deflateSync(page, { dictionary: Buffer.from('<p>more</p>') })],
  ];

  test.each(cases)('is withheld where it %s', async (_why, coding, body) => {
    await using stand = await before(coded(coding, body));
    const answer = await ask(stand.gateway.port, '/', { headers: { Accept: 'application/json' } });
    expect(answer).toMatchObject({ status: 502 });
    expect(JSON.parse(answer.body).code).toBe('answer_withheld');
    const event = await stand.gateway.sink.event((one) => one.ruleId === 'compression');
    expect(event).toMatchObject({ kind: 'engine', decision: 'block', status: 502 });
    await exchangesDownTo(0);
  });

  test.each(
    cases.flatMap(([why, ...rest]) => [[why, 'block', ...rest] as const, [why, 'log', ...rest] as const]),
  )('passes and is told of where it %s and the site lets it: %s', async (_why, mode, coding, body) => {
    await using stand = await before(coded(coding, body), { mode, undecoded: 'pass' });
    expect(await received(stand.gateway.port)).toEqual({ body, whole: true });
    const event = await stand.gateway.sink.event((one) => one.ruleId === 'compression');
    expect(event).toMatchObject({ decision: 'pass', status: 200 });
  });

  const fromMiddle = gzipSync(page).subarray(20);
  /** As a store of compressed files sends it, whatever it is asked for. */
  const continued = (response: ServerResponse) =>
    void response
      .writeHead(206, {
        'Content-Encoding': 'gzip',
        'Content-Range': `bytes 20-${fromMiddle.length + 19}/*`,
      })
      .end(fromMiddle);

  test('passes and is not told of where it is a range from the middle and finds are only told of', async () => {
    await using stand = await before(continued, { mode: 'log' });
    expect(await received(stand.gateway.port)).toEqual({ body: fromMiddle, whole: true });
    await stand.gateway.gateway.stop({ graceMs: 500 });
    expect(stand.gateway.sink.events).toEqual([]);
  });

  test.each([
    ['block', 502],
    ['pass', 206],
  ] as const)(
    'follows the mode of the site where it is a range from the middle: %s',
    async (undecoded, status) => {
      await using stand = await before(continued, { undecoded });
      const headers = { 'Accept-Encoding': 'gzip', Range: 'bytes=20-' };
      expect((await ask(stand.gateway.port, '/', { headers })).status).toBe(status);
      const event = await stand.gateway.sink.event((one) => one.ruleId === 'compression');
      expect(event).toMatchObject({ decision: undecoded, status });
    },
  );

  test('is looked into where it is a range from the beginning', async () => {
    const body = gzipSync(`${leak}\n${varied(1)}`).subarray(0, -100);
    await using stand = await before(
      (response) =>
        void response
          .writeHead(206, { 'Content-Encoding': 'gzip', 'Content-Range': `bytes 0-${body.length - 1}/*` })
          .end(body),
    );
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
    await stand.gateway.sink.event((one) => one.kind === 'response_leak');
  });

  test('is asked for uncompressed where it is a range, and then looked into', async () => {
    const plain = Buffer.from(`<h1>Shop</h1>${leak}\n${varied(1)}`);
    const kept = { gzip: gzipSync(plain), identity: plain };
    await using upstream = await startUpstream(({ headers }, response) => {
      const coding = headers['accept-encoding'] === 'identity' ? 'identity' : 'gzip';
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);
      const range = `bytes ${from}-${kept[coding].length - 1}/${kept[coding].length}`;
      const head = { 'Content-Type': 'text/html', 'Content-Range': range };
      response.writeHead(206, coding === 'gzip' ? { ...head, 'Content-Encoding': coding } : head);
      response.end(kept[coding].subarray(from));
    });
    const watched = (mode: 'log' | 'block') =>
      startGateway({ sites: [{ backend_url: upstream.url, response_inspection: { mode } }] });
    await using blocking = await watched('block');
    for (const headers of [{ 'Accept-Encoding': 'gzip, br' }, {}])
      expect((await ask(blocking.port, '/', { headers: { ...headers, Range: 'bytes=1-' } })).status).toBe(
        502,
      );
    await using logging = await watched('log');
    const headers = { 'Accept-Encoding': 'gzip', Range: 'bytes=1-' };
    expect((await ask(logging.port, '/', { headers })).headers['content-encoding']).toBe('gzip');
  });

  test('may be empty, which is nothing to decode', async () => {
    await using stand = await before(coded('gzip', Buffer.alloc(0)));
    expect((await ask(stand.gateway.port, '/')).status).toBe(200);
  });

  const long = ['gzip', 'deflate', 'br', 'zstd'] as const;

  test.each(long)('is cut off before the piece that is damaged: %s', async (coding) => {
    const broken = damaged[coding](varied(150));
    await using stand = await before(coded(coding, broken));
    const got = await received(stand.gateway.port);
    expect(got.whole).toBe(false);
    expect(got.body.length).toBeLessThanOrEqual(broken.length - restLength);
    expect(got.body.equals(broken.subarray(0, got.body.length))).toBe(true);
    const event = await stand.gateway.sink.event((one) => one.ruleId === 'compression');
    expect(event).toMatchObject({ decision: 'block', status: 200 });
    await exchangesDownTo(0);
  });

  test.each(long)('arrives whole and is told of in log mode: %s', async (coding) => {
    const broken = damaged[coding](varied(150));
    await using stand = await before(coded(coding, broken), { mode: 'log' });
    expect(await received(stand.gateway.port)).toEqual({ body: broken, whole: true });
    await stand.gateway.sink.event((one) => one.ruleId === 'compression');
  });
});

describe('a leak is found', () => {
  const cases: [string, string | string[], Buffer][] = [
    ['in a further member of gzip', 'gzip', Buffer.concat([gzipSync(page), gzipSync(leak)])],
    [
      'in a further member with a line behind it',
      'gzip',
      Buffer.concat([gzipSync(page), gzipSync(leak), Buffer.from('\n')]),
    ],
    ['behind the end of gzip', 'gzip', Buffer.concat([gzipSync(page), Buffer.from(`\n${leak}`)])],
    ['behind the end of brotli', 'br', Buffer.concat([brotliCompressSync(page), Buffer.from(leak)])],
    ['in a further frame of zstd', 'zstd', Buffer.concat([zstdCompressSync(page), zstdCompressSync(leak)])],
    [
      'where a wrong checksum follows',
      'gzip',
      Buffer.concat([gzipSync(leak).subarray(0, -8), Buffer.alloc(8)]),
    ],
    ['where a header more says nothing', ['gzip', 'identity'], gzipSync(leak)],
    ['where the coding is a charset', 'UTF-8', Buffer.from(leak)],
    ['where the coding is of an upload', 'aws-chunked', Buffer.from(leak)],
    ['where the coding is of an upload, and another', 'aws-chunked,gzip', gzipSync(leak)],
    ['where the coding is of the transfer', 'chunked', Buffer.from(leak)],
    ['where the coding is of mail', 'base64', Buffer.from(leak)],
    ['where the coding is a media type', 'text/html', Buffer.from(leak)],
    ['where the coding is none', 'plain', Buffer.from(leak)],
    ['where the coding is of a protocol', 'amz-1.0', Buffer.from(leak)],
    ['behind many small members', 'gzip', Buffer.concat([...Array(500).fill(gzipSync('')), gzipSync(leak)])],
  ];

  test.each(cases)('%s', async (_where, codings, body) => {
    await using stand = await before(coded(codings, body));
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
    await stand.gateway.sink.event((one) => one.kind === 'response_leak');
  });

  const behind = Buffer.from('\n<!-- cached -->');
  const long: [string, string, Buffer][] = [
    [
      'before bytes behind the end',
      'gzip',
      Buffer.concat([gzipSync(`${varied(300)}\n${leak}\n${varied(1)}`), behind]),
    ],
    ['in a further member', 'gzip', Buffer.concat([gzipSync(varied(300)), gzipSync(`\n${leak} `), behind])],
    ['in bytes behind the end', 'gzip', Buffer.concat([gzipSync(varied(300)), Buffer.from(`\n${leak}`)])],
    [
      'in a further frame',
      'zstd',
      Buffer.concat([zstdCompressSync(varied(300)), zstdCompressSync(`\n${leak}`)]),
    ],
  ];

  test.each(long)('in a long answer %s', async (_where, coding, body) => {
    await using stand = await before(coded(coding, body));
    const got = await received(stand.gateway.port);
    expect(got.whole).toBe(false);
    await stand.gateway.sink.event((one) => one.message.startsWith('Cut off'));
    await exchangesDownTo(0);
  });

  test.each([1, 7, 1000])('in members that come in pieces of %d bytes', async (length) => {
    const first = gzipSync(varied(300));
    const rest = Buffer.concat([first.subarray(-20), gzipSync(page), gzipSync(leak), behind]);
    await using stand = await before(
      (response) => {
        response.setHeader('Content-Encoding', 'gzip').write(first.subarray(0, -20));
        let at = 0;
        const next = () => {
          if (at >= rest.length) return void response.end();
          response.write(rest.subarray(at, at + length), () => setImmediate(next));
          at += length;
        };
        next();
      },
      { mode: 'log' },
    );
    await received(stand.gateway.port);
    await stand.gateway.sink.event((one) => one.kind === 'response_leak');
  });
});

describe('the codings that a site is asked for', () => {
  const offered = 'gzip, br;q=0.9, dcb, dcz, compress, *;q=0.1';

  test.each([
    ['block', offered, 'gzip, br;q=0.9'],
    ['block', 'dcb', 'identity'],
    ['block', 'Zstd, GZIP', 'Zstd, GZIP'],
    ['log', offered, offered],
  ] as const)('are those that can be read where answers are withheld: %s, %s', async (mode, sent, asked) => {
    await using stand = await before((response) => response.end(page), { mode });
    await ask(stand.gateway.port, '/', { headers: { 'Accept-Encoding': sent } });
    expect(stand.asked).toEqual([asked]);
  });

  test('are none where the client names none', async () => {
    await using stand = await before((response) => response.end(page));
    await ask(stand.gateway.port, '/');
    expect(stand.asked).toEqual([undefined]);
  });
});
