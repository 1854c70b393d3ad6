import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  certificateFor,
  data,
  exchangesDownTo,
  type Field,
  flag,
  frame,
  frameType,
  type HttpUpstream,
  headerBlock,
  headers,
  openHttp2,
  openSockets,
  rstStream,
  type StartedGateway,
  socketsDownTo,
  startGateway,
  startUpstream,
  uint32,
} from '../testing/index.ts';

const host = 'shop.example.com';
let upstream: HttpUpstream;
let gateway: StartedGateway;
let quiet = 0;

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    // What an attacker asks for never comes: a proxy that forgot such requests would hold them for ever.
    if (incoming.url !== '/never') incoming.resume().on('end', () => response.end('reached'));
  });
  const security_level = 'off';
  gateway = await startGateway({
    certificates: [await certificateFor([host])],
    sites: [{ domains: [host], backend_url: upstream.url, ssl: { enabled: true }, security_level }],
  });
  await ask(gateway.port, '/', { headers: { Host: host } });
  await socketsDownTo(2);
  quiet = openSockets();
});

afterAll(async () => {
  await exchangesDownTo(0);
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const fields = (path: string, more: readonly Field[] = []): Field[] => [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', host],
  [':path', path],
  ...more,
];
const whole = (stream: number) => headers(stream, fields('/never'));
const open = (stream: number, more: readonly Field[] = []) =>
  headers(stream, fields('/never', more), flag.endHeaders);
const first = (index: number, once: Buffer, then: Buffer) => [index === 0 ? once : then];

/** Each makes the frames of one round; rounds follow until the gateway has had enough. */
const floods: [name: string, round: (index: number, stream: number) => Buffer[]][] = [
  ['requests and resets (CVE-2023-44487)', (_, id) => [whole(id), rstStream(id)]],
  ['open requests and resets', (_, id) => [open(id), rstStream(id)]],
  // MadeYouReset, CVE-2025-8671: the client makes the server reset, which a count of client resets would not see.
  [
    'provoked resets: a window opened by nothing',
    (_, id) => [whole(id), frame(frameType.windowUpdate, 0, id, uint32(0))],
  ],
  [
    'provoked resets: a window beyond its bound',
    (_, id) => [whole(id), frame(frameType.windowUpdate, 0, id, uint32(0x7fff_ffff))],
  ],
  ['provoked resets: DATA behind the end', (_, id) => [whole(id), data(id, 'x')]],
  ['provoked resets: HEADERS behind the end', (_, id) => [whole(id), headers(id, [['x-a', 'b']])]],
  [
    'provoked resets: PRIORITY of odd length',
    (_, id) => [whole(id), frame(frameType.priority, 0, id, Buffer.alloc(4))],
  ],
  [
    'provoked resets: bodies shorter than they say',
    (_, id) => [open(id, [['content-length', '5']]), data(id, 'xxx')],
  ],
  ['provoked resets: malformed heads', (_, id) => [headers(id, fields('/', [['X-Upper', 'a']]))]],
  ['more streams than were offered', (_, id) => [whole(id)]],
  [
    'CONTINUATION (CVE-2024-27316)',
    (at) =>
      first(
        at,
        frame(frameType.headers, 1, 1, headerBlock(fields('/'))),
        frame(frameType.continuation, 0, 1, headerBlock([[`x-${at}`, 'y']])),
      ),
  ],
  [
    'empty CONTINUATION',
    (at) =>
      first(
        at,
        frame(frameType.headers, 1, 1, headerBlock(fields('/'))),
        frame(frameType.continuation, 0, 1),
      ),
  ],
  ['PING (CVE-2019-9512)', () => [frame(frameType.ping, 0, 0, Buffer.alloc(8))]],
  ['SETTINGS (CVE-2019-9515)', () => [frame(frameType.settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100]))]],
  ['acknowledgements of nothing', () => [frame(frameType.settings, flag.ack, 0)]],
  ['empty DATA (CVE-2019-9518)', (at) => first(at, open(1), frame(frameType.data, 0, 1))],
  ['fields without name and value (CVE-2019-9516)', (_, id) => [headers(id, fields('/never', [['', '']]))]],
  [
    'PRIORITY (CVE-2019-9513)',
    (_, id) => [frame(frameType.priority, 0, id, Buffer.concat([uint32(0), Buffer.from([1])]))],
  ],
  ['trailers again and again', (at) => first(at, open(1), headers(1, [['x-a', 'b']], flag.endHeaders))],
];

/** Rounds after which a flood counts as let through. */
const maxRounds = 50_000;

test.each(floods)('a flood of %s ends its connection while others are served', async (_name, round) => {
  const reached = upstream.requests.length;
  const honest = connectHttp2(`https://${host}:${gateway.httpsPort}`, {
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }] as never),
    rejectUnauthorized: false,
  });
  await once(honest, 'connect');
  const attacker = await openHttp2(gateway.httpsPort ?? 0, host);
  let rounds = 0;
  const flood = (async () => {
    while (!attacker.closed && rounds < maxRounds) {
      const frames = Array.from({ length: 50 }, () => round(rounds, 2 * rounds++ + 1)).flat();
      await attacker.send(...frames);
    }
  })();
  let served = 0;
  while (!attacker.closed) {
    const stream = honest.request({ ':authority': host, ':path': '/' });
    const [answer] = (await once(stream, 'response')) as [Record<string, number>];
    expect(answer[':status']).toBe(200);
    await once(stream.resume(), 'close');
    served++;
  }
  await flood;
  expect(rounds).toBeLessThan(maxRounds);
  expect(served).toBeGreaterThan(0);
  // No more of it got through than streams may be open at once.
  expect(upstream.requests.length - reached - served).toBeLessThanOrEqual(128);
  honest.close();
  await once(honest, 'close');
  await socketsDownTo(quiet);
});
