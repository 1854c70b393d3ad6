import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  exchangesDownTo,
  type HttpUpstream,
  openSockets,
  type StartedGateway,
  socketsDownTo,
  speak,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const get = (lines: string, target = '/') => `GET ${target} HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n`;
const post = (lines: string, body: string) => `POST / HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const end = '0\r\n\r\n';

/** Bodies that break off being chunks: RFC 9112 §7.1. */
const brokenChunks: [name: string, body: string, status?: number][] = [
  ['a chunk size that is no number', `zz\r\nab\r\n${end}`],
  ['a chunk size with a sign', `+2\r\nab\r\n${end}`],
  ['a chunk size beyond all numbers', 'fffffffffffffffff\r\nab\r\n'],
  ['a bare LF after a chunk size', `2\nab\r\n${end}`],
  ['a chunk longer than its size', `2\r\nabc\r\n${end}`],
  ['oversized chunk extensions', `2;${'x'.repeat(20_000)}\r\nab\r\n${end}`, 413],
  ['a trailer that is no header', '1\r\na\r\n0\r\nX : y\r\n\r\n'],
  ['a negative chunk size', `-2\r\nab\r\n${end}`],
  ['a hexadecimal prefix of a chunk size', `0x2\r\nab\r\n${end}`],
  ['a chunk without its line end', `2\r\nab${end}`],
];

/** What no two servers may read in two ways: RFC 9112 §11.2. Each is refused, and the upstream sees nothing. */
const refused: [name: string, bytes: string, status?: number][] = [
  ['Content-Length beside Transfer-Encoding', post(`Content-Length: 4\r\n${chunked}`, end)],
  ['Transfer-Encoding before Content-Length', post(`${chunked}Content-Length: 4\r\n`, end)],
  ['differing Content-Lengths', post('Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde')],
  ['equal Content-Lengths twice', post('Content-Length: 4\r\nContent-Length: 4\r\n', 'abcd')],
  ['a list as Content-Length', post('Content-Length: 4, 4\r\n', 'abcd')],
  ['a signed Content-Length', post('Content-Length: +4\r\n', 'abcd')],
  ['a negative Content-Length', post('Content-Length: -4\r\n', 'abcd')],
  ['a hexadecimal Content-Length', post('Content-Length: 0x4\r\n', 'abcd')],
  ['an empty Content-Length', post('Content-Length: \r\n', '')],
  ['a Content-Length beyond all numbers', post('Content-Length: 99999999999999999999\r\n', '')],
  ['chunked, identity', post('Transfer-Encoding: chunked, identity\r\n', end)],
  ['identity, chunked', post('Transfer-Encoding: identity, chunked\r\n', end)],
  ['gzip, chunked', post('Transfer-Encoding: gzip, chunked\r\n', end)],
  ['identity alone', post('Transfer-Encoding: identity\r\n', '')],
  ['xchunked', post('Transfer-Encoding: xchunked\r\n', end)],
  ['chunked twice', post(`${chunked}${chunked}`, end)],
  ['quoted chunked', post('Transfer-Encoding: "chunked"\r\n', end)],
  ['a vertical tab before chunked', post('Transfer-Encoding:\x0bchunked\r\n', end)],
  ['Transfer-Encoding in HTTP/1.0', `POST / HTTP/1.0\r\nHost: a.test\r\n${chunked}\r\n${end}`],
  ['a folded header', post('Transfer-Encoding:\r\n chunked\r\n', end)],
  ['a folded custom header', get('X-A: b\r\n c\r\n')],
  ['a space before the colon', post('Transfer-Encoding : chunked\r\n', end)],
  ['a header line that starts with a space', get(' X-A: b\r\n')],
  ['a header without a name', get(': b\r\n')],
  ['a bare CR in a header', get('X-A: b\rX-B: c\r\n')],
  ['a bare LF as line end', 'GET / HTTP/1.1\nHost: a.test\n\n'],
  ['NUL in a header', get('X-A: b\0c\r\n')],
  ['NUL in the target', get('', '/a\0b')],
  ['a space in the target', get('', '/a b')],
  ['raw high bytes in the target', get('', '/caf\xe9')],
  ['a fragment in the target', get('', '/a#b')],
  ['an odd method', 'G@T / HTTP/1.1\r\nHost: a.test\r\n\r\n'],
  ['a lower-case method', 'get / HTTP/1.1\r\nHost: a.test\r\n\r\n'],
  ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: a.test\r\n\r\n'],
  ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: a.test\r\n\r\n'],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two Hosts', get('Host: b.test\r\n')],
  ['two equal Hosts', get('Host: a.test\r\n')],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a.test/x\r\n\r\n'],
  ['a Host with user information', 'GET / HTTP/1.1\r\nHost: b.test@a.test\r\n\r\n'],
  ['two names in one Host', 'GET / HTTP/1.1\r\nHost: a.test, b.test\r\n\r\n'],
  ['a target that names another host', get('', 'http://b.test/')],
  ['an authority as target', get('', 'a.test:80')],
  ['a target of another scheme', get('', 'file:///etc/passwd')],
  ['a target without slash', get('', 'index.html')],
  ['Connection naming Host', get('Connection: close, Host\r\n')],
  ['Connection naming X-Forwarded-For', get('Connection: x-forwarded-for\r\n')],
  ['Connection naming Content-Length', post('Connection: Content-Length\r\nContent-Length: 1\r\n', 'a')],
  ['an unknown expectation', get('Expect: 200-maybe\r\n')],
  ['a header block beyond 32 KB', get(`X-A: ${'b'.repeat(40_000)}\r\n`), 431],
  ['Connection naming Forwarded', get('Connection: keep-alive, Forwarded\r\n')],
  ['Connection naming X-Request-Id', get('Connection: X-Request-Id\r\n')],
  ['Connection naming Transfer-Encoding', post(`Connection: transfer-encoding\r\n${chunked}`, end)],
  ...['Content-Encoding', 'content-type', 'Cookie', 'Authorization', 'Origin', 'X-HTTP-Method-Override'].map(
    (name): [string, string] => [
      `Connection naming ${name}`,
      post(`Connection: keep-alive, ${name}\r\n${name}: a\r\nContent-Length: 3\r\n`, 'a=b'),
    ],
  ),
  ['five hundred and thirteen fields', get('A: \r\n'.repeat(512)), 431],
  ['four thousand fields', get('A: \r\n'.repeat(4000)), 431],
  ['chunked with a parameter', post('Transfer-Encoding: chunked;q=1\r\n', end)],
  ['chunked behind a comma', post('Transfer-Encoding: ,chunked\r\n', end)],
  ['a second line of identity', post(`${chunked}Transfer-Encoding: identity\r\n`, end)],
  ['Content-Length behind a NUL', post('Content-Length\0: 4\r\n', 'abcd')],
  ['a Content-Length with a space within', post('Content-Length: 1 4\r\n', 'abcd')],
  ['a bare CR as line end', 'GET / HTTP/1.1\rHost: a.test\r\r'],
  ['a target that names user information', get('', 'http://b.test@a.test/')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a request line of HTTP/0.9', 'GET /\r\n\r\n'],
  ['a tab in the request line', 'GET\t/ HTTP/1.1\r\nHost: a.test\r\n\r\n'],
  ['NUL in a Host', 'GET / HTTP/1.1\r\nHost: a.test\0b\r\n\r\n'],
  ['a Host with an odd port', 'GET / HTTP/1.1\r\nHost: a.test:80:81\r\n\r\n'],
  ['an open bracket as Host', 'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n'],
  ['an IPv6 Host without brackets', 'GET / HTTP/1.1\r\nHost: ::1\r\n\r\n'],
  ['a Host with a zone', 'GET / HTTP/1.1\r\nHost: [fe80::1%25eth0]\r\n\r\n'],
  ...brokenChunks.map(([name, body, status = 400]): [string, string, number] => [
    name,
    post(chunked, body),
    status,
  ]),
];

let upstream: HttpUpstream;
let gateway: StartedGateway;
let quiet = 0;
const references: (string | undefined)[] = [];

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    incoming.resume().on('end', () => response.end('reached'));
  });
  gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
  // Leaves the one connection to the upstream that later requests use again.
  await ask(gateway.port, '/', { headers: { Host: 'a.test' } });
  await socketsDownTo(2);
  quiet = openSockets();
  upstream.requests.length = 0;
});

afterAll(async () => {
  await exchangesDownTo(0);
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe('ambiguous requests', () => {
  test.each(refused)('%s is refused and never forwarded', async (_name, bytes, status = 400) => {
    const answer = await speak(gateway.port, bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    await socketsDownTo(quiet);
    expect(upstream.requests.splice(0)).toEqual([]);
    references.push(/X-Request-Id: (\S+)/i.exec(answer)?.[1]);
  });

  test('all of them are recorded under the reference that the client got, alike ones as a count', async () => {
    expect(references).toHaveLength(refused.length);
    const told = () => gateway.sink.events.filter((one) => one.kind === 'protocol');
    const counted = () => told().reduce((sum, one) => sum + one.count, 0);
    await gateway.sink.until(() => counted() >= refused.length);
    expect(told().map((one) => one.requestId)).toContain(references[0]);
    for (const event of told()) expect(event).toMatchObject({ decision: 'block', clientIp: '127.0.0.1' });
  });

  /** Where nothing is looked at the head goes on at once: what breaks later can only be taken back. */
  test.each(brokenChunks)(
    '%s behind a good one ends the request at the upstream, unfinished',
    async (...row) => {
      const [, body, status = 400] = row;
      const seen = Promise.withResolvers<string[]>();
      const broken = Promise.withResolvers<string>();
      await using upstream = await startUpstream((incoming) => {
        seen.resolve(incoming.rawHeaders);
        let held = '';
        incoming.on('data', (piece) => {
          held += piece;
        });
        incoming
          .on('error', () => broken.resolve(held))
          .on('end', () => broken.resolve(`${held} and its end`));
      });
      await using gateway = await startGateway({
        sites: [{ backend_url: upstream.url, security_level: 'off' }],
      });
      const client = connect(gateway.port, '127.0.0.1');
      client.write(post(`X-A: b\r\n${chunked}`, '2\r\nok\r\n'));
      const head = await seen.promise;
      client.write(body);
      expect(await text(client)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(await broken.promise).toMatch(/^ok(?:ab?)?$/);
      const names = head.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      expect(names.filter((name) => name === 'host' || name === 'x-a')).toEqual(['host', 'x-a']);
      expect(names).toContain('transfer-encoding');
      expect(names).not.toContain('content-length');
      expect(upstream.requests.map(({ method, url, complete }) => ({ method, url, complete }))).toEqual([
        { method: 'POST', url: '/', complete: false },
      ]);
    },
  );

  test('a second request smuggled behind a body never reaches the upstream', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      incoming.resume().on('end', () => response.end('ok'));
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a.test\r\n\r\n';
    await speak(
      gateway.port,
      post(`Content-Length: ${end.length + hidden.length}\r\nTransfer-encoding: chunked\r\n`, end + hidden),
    );
    expect(upstream.requests.map((one) => one.url)).not.toContain('/hidden');
  });

  test.each([
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n'],
  ])('%s is not served', async (_name, bytes) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect(await speak(gateway.port, bytes)).toMatch(/^HTTP\/1\.1 405 /);
    expect(upstream.requests).toEqual([]);
  });
});

/** What names a machine and no site, as RFC 3986 §3.2.2 and what else inet_aton reads. */
const addresses = [
  ...['10.0.0.1', '10.0.0.1:8080', '10.0.0.1.', '[::1]', '[::1]:8080', '[::ffff:10.0.0.1]', '[2001:DB8::1]'],
  ...['127.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001'],
];

describe('a Host that is an address', () => {
  test.each(addresses)('%s is no site’s: a neutral 404, and no upstream sees it', async (address) => {
    await using upstream = await startUpstream();
    const domains = ['shop.test', '*.shop.test'];
    await using gateway = await startGateway({ sites: [{ domains, backend_url: upstream.url }] });
    const lines = `Host: ${address}\r\nConnection: close\r\n\r\n`;
    for (const target of ['/', `http://${address}/`]) {
      const answer = await speak(gateway.port, `GET ${target} HTTP/1.1\r\n${lines}`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).not.toContain('shop');
    }
    expect(upstream.requests).toEqual([]);
  });

  test.each(addresses)(
    '%s is the site’s that answers for any host, and reaches its upstream as it came',
    async (address) => {
      await using upstream = await startUpstream();
      await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
      const lines = `Host: ${address}\r\nConnection: close\r\n\r\n`;
      expect(await speak(gateway.port, `GET / HTTP/1.1\r\n${lines}`)).toMatch(/^HTTP\/1\.1 200 /);
      expect(upstream.requests.map(({ url, headers }) => [url, headers.host])).toEqual([['/', address]]);
    },
  );
});

describe('odd but unambiguous requests', () => {
  test.each(['keep-alive, TE', 'TE, Close', 'Upgrade, HTTP2-Settings', 'Keep-Alive, Proxy-Connection'])(
    'Connection: %s of a real client goes on',
    async (tokens) => {
      const lines = `Connection: ${tokens}\r\nConnection: close\r\nTE: trailers\r\nKeep-Alive: 300\r\n`;
      expect(await speak(gateway.port, get(lines))).toMatch(/^HTTP\/1\.1 200 /);
      expect(upstream.requests.splice(0)).toHaveLength(1);
    },
  );

  test('five hundred and twelve fields all go on', async () => {
    const lines = `${'A: b\r\n'.repeat(510)}Connection: close\r\n`;
    expect(await speak(gateway.port, get(lines))).toMatch(/^HTTP\/1\.1 200 /);
    const [seen] = upstream.requests.splice(0);
    expect(seen?.rawHeaders.filter((name) => name === 'A')).toHaveLength(510);
  });

  test.each([
    [
      'an absolute target with the same host',
      'GET http://A.test/x?y HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
      '/x?y',
    ],
    [
      'an absolute target without path',
      'GET http://a.test?y HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
      '/?y',
    ],
    [
      'CHUNKED in capitals',
      `POST /c HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTransfer-Encoding: CHUNKED\r\n\r\n${end}`,
      '/c',
    ],
    [
      'two spaces in the request line',
      'GET  /spaces  HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
      '/spaces',
    ],
    ['HTTP/1.0', 'GET /old HTTP/1.0\r\nHost: a.test\r\n\r\n', '/old'],
  ])('%s passes as the upstream would read it', async (_name, bytes, target) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    expect(await speak(gateway.port, bytes)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.requests.map((one) => one.url)).toEqual([target]);
  });

  /** What is normalised on one side alone is how /admin is reached past a rule for /admin. */
  test.each([
    '/a/../admin',
    '/a/%2e%2e/admin',
    '/./admin//x',
    '/a%2fb%2F..%2fadmin',
    '/a%5c..%5cadmin',
    '/a/..;x=1/admin',
    '/%61dmin',
    '/a%252fadmin',
    '/admin%00.jpg',
    '/admin%20',
    '//admin',
    '/a?b=c?d=/../admin',
  ])('%s is the same path to the engine, the log and the upstream', async (target) => {
    const before = upstream.requests.length;
    const rule = exactly(target);
    gateway.configure({ sites: [{ backend_url: upstream.url, security_level: 'low', rules: [rule] }] });
    const lines = 'Host: a.test\r\nConnection: close\r\n\r\n';
    const blocked = await speak(gateway.port, `GET ${target} HTTP/1.1\r\n${lines}`);
    expect(blocked).toMatch(/^HTTP\/1\.1 403 /);
    expect(upstream.requests).toHaveLength(before);
    gateway.configure({ sites: [{ backend_url: upstream.url, security_level: 'off' }] });
    await speak(gateway.port, `GET ${target} HTTP/1.1\r\n${lines}`);
    expect(upstream.requests.at(-1)?.url).toBe(target);
  });
});

/** A rule of the operator's on the path as it came, to the letter. */
function exactly(target: string) {
  const value = target.split('?')[0] ?? '';
  const condition = { field: 'path' as const, operator: 'equals' as const, value };
  const conditions = { operator: 'AND' as const, rules: [condition] };
  return { id: 'exact', name: 'Exact path', siteId: 'any', conditions, action: 'block' as const };
}
