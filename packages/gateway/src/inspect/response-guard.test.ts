import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, certificateFor, exchangesDownTo, startGateway, startUpstream } from '../testing/index.ts';

const leaking = `<h1>Oops</h1> ORA-01756: quoted string not properly terminated ${'<p>more</p>'.repeat(50)}`;
const block = { mode: 'block' } as const;

interface Stand {
  readonly overBudget?: 'block' | 'pass';
  readonly maxHeldBytes?: number;
  readonly site?: object;
  readonly certificates?: Awaited<ReturnType<typeof certificateFor>>[];
}

/** A gateway before a site that always answers so. */
async function before(
  answer: (response: ServerResponse) => void,
  inspection: object = block,
  { overBudget = 'block', maxHeldBytes, site: more = {}, certificates = [] }: Stand = {},
) {
  const upstream = await startUpstream((_request, response) => answer(response));
  const site = {
    id: 'shop',
    backend_url: upstream.url,
    response_inspection: inspection,
    failure_modes: { over_budget: overBudget },
    ...more,
  };
  const gateway = await startGateway(
    { sites: [site], certificates },
    maxHeldBytes === undefined ? {} : { maxHeldBytes },
  );
  return {
    gateway,
    upstream,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const html = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) =>
  void response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body);

/** The first piece of an answer's body, without waiting for its end. */
async function firstPiece(port: number): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [answer] = await once(sent, 'response');
  const [piece] = await once(answer, 'data');
  sent.destroy();
  return String(piece);
}

/** An answer's body as it came. @param pause waited for before each piece is read */
async function received(port: number, pause: () => Promise<void> = async () => undefined): Promise<Buffer> {
  const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) {
    pieces.push(piece);
    await pause();
  }
  return Buffer.concat(pieces);
}

const afterEnd = Buffer.from('\n<!-- cached -->');

/** With every part that a header of gzip may have: RFC 1952 §2.3. */
const named = (bytes: Buffer) => {
  const head = Buffer.from(bytes.subarray(0, 10));
  head[3] = 30;
  return Buffer.concat([head, Buffer.from('\x02\0xxname\0comment\0cc', 'latin1'), bytes.subarray(10)]);
};

const quickBrotli = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

describe('response inspection', () => {
  test('is off unless the site asks for it', async () => {
    await using stand = await before((response) => html(response, leaking), {});
    expect((await ask(stand.gateway.port, '/')).body).toBe(leaking);
  });

  test('in log mode lets the answer pass as it is and tells of it', async () => {
    await using stand = await before((response) => html(response, leaking), { mode: 'log' });
    const { port, sink } = stand.gateway;
    expect((await ask(port, '/shelf?x=1')).body).toBe(leaking);
    expect(await sink.event((one) => one.kind === 'response_leak')).toMatchObject({
      decision: 'log',
      status: 200,
      path: '/shelf?x=1',
      ruleId: 'leak-sql-oracle',
      message: 'Noticed: Oracle error in the answer',
      matches: [{ target: 'response', severity: 'high' }],
    });
  });

  test.each([
    ['plain', undefined, (text: string) => Buffer.from(text)],
    ['gzip', 'gzip', (text: string) => gzipSync(text)],
    ['gzip with a line behind its end', 'gzip', (text: string) => Buffer.concat([gzipSync(text), afterEnd])],
    ['gzip with a name in it so', 'gzip', (text: string) => Buffer.concat([named(gzipSync(text)), afterEnd])],
    ['gzip by its old name', 'X-Gzip', (text: string) => gzipSync(text)],
    ['deflate', 'deflate', (text: string) => deflateSync(text)],
    ['brotli', 'br', (text: string) => brotliCompressSync(text)],
    ['zstd', 'zstd', (text: string) => zstdCompressSync(text)],
  ])('in block mode withholds a leak that comes %s', async (_name, coding, encode) => {
    await using stand = await before((response) =>
      html(response, encode(leaking), coding ? { 'Content-Encoding': coding } : {}),
    );
    const { port, sink } = stand.gateway;
    const answer = await ask(port, '/', { headers: { Accept: 'application/json' } });
    expect(answer.status).toBe(502);
    expect(answer.headers['content-encoding']).toBeUndefined();
    const { code, requestId } = JSON.parse(answer.body);
    expect(code).toBe('answer_withheld');
    expect(answer.body).not.toContain('ORA-');
    const event = await sink.event((one) => one.requestId === requestId);
    expect(event).toMatchObject({ kind: 'response_leak', decision: 'block', status: 502, level: 'error' });
    const counted = await sink.until(() => sink.counters.find((one) => one.siteId === 'shop'));
    expect(counted).toMatchObject({ requests: 1, blocked: 1, statuses: [0, 0, 0, 0, 1] });
  });

  test('a client that asks for ranges gets none of what is withheld', async () => {
    const part = `Content-Type: text/html\r\nContent-Range: bytes 0-99/200\r\n\r\n${leaking}`;
    await using stand = await before((response) => {
      response.writeHead(206, { 'Content-Type': 'multipart/byteranges; boundary=x' });
      response.end(`--x\r\n${part}\r\n--x--\r\n`);
    });
    expect((await ask(stand.gateway.port, '/', { headers: { Range: 'bytes=0-0,1-' } })).status).toBe(502);
  });

  test('withholds a leak that stands before the end of a long answer, and lets the upstream go', async () => {
    const filler = Buffer.alloc(64 * 1024, 'x');
    const closed = Promise.withResolvers<void>();
    await using stand = await before((response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'Content-Type': 'text/plain' }).write(leaking);
      const more = () => void (response.destroyed || response.write(filler, () => setImmediate(more)));
      more();
    });
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
    await closed.promise;
  });

  test.each(['HEAD', 'GET'])('passes clean answers on unchanged: %s', async (method) => {
    const body = gzipSync(Buffer.alloc(3_000_000, 'clean text '));
    await using stand = await before((response) =>
      html(response, body, {
        'Content-Encoding': 'gzip',
        ETag: '"1"',
        'Content-Length': String(body.length),
      }),
    );
    const plain = request({ port: stand.gateway.port, host: '127.0.0.1', path: '/', method }).end();
    const [answer] = await once(plain, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    expect(answer.headers).toMatchObject({ etag: '"1"', 'content-length': String(body.length) });
    if (method === 'GET') expect(gunzipSync(Buffer.concat(chunks)).length).toBe(3_000_000);
  });

  test.each([
    ['an event stream', 'text/event-stream', 'data: ORA-01756: quoted string\n\n'],
    ['NDJSON', 'application/x-ndjson', '{"error":"ORA-01756: quoted string"}\n'],
    ['a text that comes in drops', 'text/plain', 'still working'],
  ])('does not keep %s waiting for its end', async (_name, type, piece) => {
    await using stand = await before((response) => {
      response.writeHead(200, { 'Content-Type': type });
      response.write(piece);
    });
    expect(await firstPiece(stand.gateway.port)).toBe(piece);
  });

  /** A leak behind what is held, cut in two where pieces meet. */
  const late = (response: ServerResponse) => {
    const at = leaking.indexOf('ORA-') + 4;
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.write(Buffer.alloc(100_000, 'clean text '));
    response.write(leaking.slice(0, at), () => setImmediate(() => response.end(leaking.slice(at))));
  };

  /** What a client got until the answer broke off. */
  async function untilCut(port: number): Promise<Buffer> {
    const sent = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    const error = await new Promise((resolve) => answer.on('error', resolve).on('end', resolve));
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    return Buffer.concat(pieces);
  }

  test('cuts off an answer whose leak stands behind its beginning', async () => {
    await using stand = await before(late);
    const { port, sink } = stand.gateway;
    const body = await untilCut(port);
    expect(body.length).toBeGreaterThanOrEqual(64 * 1024);
    expect(body.includes('quoted string')).toBe(false);
    expect(await sink.event((one) => one.kind === 'response_leak')).toMatchObject({
      ...{ decision: 'block', status: 200, message: 'Cut off: Oracle error in the answer' },
    });
    await exchangesDownTo(0);
  });

  /** Too varied to be compressed to nothing: its beginning alone is longer than what is held. */
  const long = `${randomBytes(250_000).toString('base64')}${leaking}${randomBytes(9000).toString('base64')}`;

  const codings: [string, (text: string) => Buffer, (bytes: Buffer) => Buffer][] = [
    ['gzip', gzipSync, (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })],
    ['deflate', deflateSync, (bytes) => inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })],
    ['deflate', deflateRawSync, (bytes) => inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })],
    [
      'br',
      quickBrotli,
      (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    ],
    ['zstd', zstdCompressSync, (bytes) => zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush })],
  ];

  test.each(codings)('cuts it off in the same place where it comes as %s', async (coding, encode, decode) => {
    await using stand = await before((response) =>
      html(response, encode(long), { 'Content-Encoding': coding }),
    );
    const { port, sink } = stand.gateway;
    const text = decode(await untilCut(port)).toString();
    expect(long.startsWith(text)).toBe(true);
    expect(text).not.toContain('quoted string');
    expect(text.length).toBeGreaterThanOrEqual(64 * 1024);
    expect((await sink.event((one) => one.kind === 'response_leak')).message).toMatch(/^Cut off/);
  });

  test('tells of it in log mode, where every byte arrives', async () => {
    const body = gzipSync(long);
    await using stand = await before((response) => html(response, body, { 'Content-Encoding': 'gzip' }), {
      mode: 'log',
    });
    const { port, sink } = stand.gateway;
    expect(await received(port)).toEqual(body);
    expect(await sink.event((one) => one.kind === 'response_leak')).toMatchObject({ decision: 'log' });
  });

  test('tells of such an answer once over HTTP/2, and blames no upstream', async () => {
    const host = 'shop.example.com';
    const certificates = [await certificateFor([host])];
    await using stand = await before(late, block, {
      site: { domains: [host], ssl: { enabled: true } },
      certificates,
    });
    const { httpsPort, sink } = stand.gateway;
    const session = connectHttp2(`https://${host}:${httpsPort}`, {
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/' }).resume();
    await expect(once(stream, 'end')).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    session.close();
    await exchangesDownTo(0);
    await sink.event((one) => one.kind === 'response_leak');
    expect(sink.events.map(({ kind }) => kind)).toEqual(['response_leak']);
  });

  test('tells of a leak behind the beginning once, in log mode', async () => {
    await using stand = await before(late, { mode: 'log' });
    const { port, sink } = stand.gateway;
    expect((await ask(port, '/')).body).toHaveLength(100_000 + leaking.length);
    expect(await sink.event((one) => one.kind === 'response_leak')).toMatchObject({ decision: 'log' });
  });

  test('looks at what came along with the last piece of the beginning', async () => {
    await using stand = await before((response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write('x'.repeat(1000), () => {
        setImmediate(() =>
          response.end(`${'clean text '.repeat(5900)}${leaking}${'more text '.repeat(300)}`),
        );
      });
    });
    expect((await ask(stand.gateway.port, '/')).status).toBe(502);
  });

  test('a client that reads slowly gets a compressed answer whole, its upstream waiting meanwhile', async () => {
    const body = gzipSync(randomBytes(1_500_000).toString('base64'));
    await using stand = await before((response) => html(response, body, { 'Content-Encoding': 'gzip' }));
    expect(await received(stand.gateway.port, () => new Promise((resolve) => setImmediate(resolve)))).toEqual(
      body,
    );
    await exchangesDownTo(0);
  });

  test('takes no piece in the middle for the beginning of a file', async () => {
    const script = 'import os, sys\nimport re, json\n';
    await using stand = await before((response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).write(Buffer.alloc(70_000, 'x'));
      setImmediate(() => response.end(`${script.repeat(100)}`));
    });
    expect((await ask(stand.gateway.port, '/')).body).toHaveLength(70_000 + 100 * script.length);
  });

  test('keeps nothing of an answer that it withheld', async () => {
    await using stand = await before((response) => html(response, leaking));
    for (let i = 0; i < 3; i++) expect((await ask(stand.gateway.port, '/')).status).toBe(502);
    await exchangesDownTo(0);
  });

  test('looks only for what the site chose', async () => {
    await using stand = await before((response) => html(response, leaking), {
      ...block,
      kinds: ['stack_trace'],
    });
    expect((await ask(stand.gateway.port, '/')).body).toBe(leaking);
  });

  test('a client that leaves while its answer is held takes the upstream along', async () => {
    const closed = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    await using stand = await before((response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'Content-Type': 'text/html' }).write('<h1>', () => started.resolve());
    });
    const sent = request({ port: stand.gateway.port, host: '127.0.0.1', agent: false }).end();
    sent.on('error', () => undefined);
    await started.promise;
    sent.destroy();
    await closed.promise;
  });

  test('an upstream that breaks off while its answer is held gives an honest 502', async () => {
    await using stand = await before((response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '100' });
      response.write('<h1>', () => response.destroy());
    });
    const answer = await ask(stand.gateway.port, '/', {
      method: 'POST',
      headers: { Accept: 'application/json' },
    });
    expect(JSON.parse(answer.body).code).toBe('upstream_unavailable');
  });

  test.each([
    ['block', 503],
    ['pass', 200],
  ] as const)('without memory to hold an answer the site’s mode decides: %s', async (overBudget, status) => {
    const options = { overBudget, maxHeldBytes: 100 };
    await using stand = await before((response) => html(response, 'x'.repeat(5000)), block, options);
    const answer = await ask(stand.gateway.port, '/');
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toHaveLength(5000);
    const event = await stand.gateway.sink.event((one) => one.ruleId === 'memory');
    expect(event.decision).toBe(overBudget);
  });

  test('what grows beyond measure is passed on unseen', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(5_000_000));
    await using stand = await before((response) => html(response, bomb, { 'Content-Encoding': 'br' }));
    const answer = await ask(stand.gateway.port, '/');
    expect(answer.status).toBe(200);
  });
});
