import { lookup } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ask,
  type StartedUpstream,
  speak,
  startGateway,
  startRawUpstream,
  startUpstream,
} from '../testing/index.ts';
import { Member, UpstreamGroup } from './group.ts';
import { Upstream } from './upstream.ts';

afterEach(() => void vi.useRealTimers());

const options = { connectMs: 1000, headersMs: 1000, bodyMs: 1000, verifyTls: true, ca: '' };
const member = (name: string, weight = 1, standby = false) =>
  new Member(new Upstream(`http://${name}`, options, lookup as LookupFunction), weight, standby);
const names = (group: UpstreamGroup, count: number, now = 0) =>
  Array.from({ length: count }, () => group.pick(now, undefined).upstream.authority).join(' ');

describe('a group of upstreams', () => {
  test('takes turns by weight, smoothly', () => {
    expect(names(new UpstreamGroup([member('a', 3), member('b'), member('c')]), 10)).toBe(
      'a b a c a a b a c a',
    );
  });

  test('leaves out who failed three times in a row, for ten seconds', () => {
    const [a, b] = [member('a'), member('b')];
    const group = new UpstreamGroup([a, b]);
    for (let i = 0; i < 3; i++) a.failed(0);
    expect(names(group, 3, 9999)).toBe('b b b');
    expect(names(group, 4, 10_000)).toContain('a');
  });

  test('stays as it is where it failed at the requests of one client alone', () => {
    const a = member('a');
    for (let i = 0; i < 9; i++) a.failed(0, 'one');
    expect(a.available(0)).toBe(true);
    a.failed(0, 'another');
    expect(a.available(0)).toBe(false);
    const b = member('b');
    for (const client of ['one', undefined, 'one']) b.failed(0, client);
    expect(b.available(0)).toBe(false);
  });

  test('an answer in between forgives', () => {
    const a = member('a');
    a.failed(0);
    a.failed(0);
    a.answered();
    a.failed(0);
    expect(a.available(0)).toBe(true);
  });

  test('asks a standby only while no other one is alive, and anybody when all are down', () => {
    const [a, s] = [member('a'), member('s', 1, true)];
    const group = new UpstreamGroup([a, s]);
    expect(names(group, 2)).toBe('a a');
    a.healthy = false;
    expect(names(group, 2)).toBe('s s');
    s.healthy = false;
    expect(names(group, 2)).toMatch(/a/);
  });
});

describe('a group that keeps its clients', () => {
  const clients = Array.from({ length: 6000 }, (_, at) => `${at}`);
  const chosen = (group: UpstreamGroup, now = 0) =>
    new Map(clients.map((client) => [client, group.pick(now, client).upstream.authority]));
  const shares = (choices: Map<string, string>) => {
    const counts: Record<string, number> = {};
    for (const name of choices.values()) counts[name] = (counts[name] ?? 0) + 1 / clients.length;
    return counts;
  };

  test('leads each to the same member, and as many to each as its weight says', () => {
    const group = new UpstreamGroup(
      [member('a', 3), member('b'), member('c', 2), member('s', 9, true)],
      true,
    );
    const first = chosen(group);
    expect(chosen(group)).toEqual(first);
    const { a = 0, b = 0, c = 0, ...others } = shares(first);
    expect(others).toEqual({});
    for (const [share, due] of [
      [a, 3 / 6],
      [b, 1 / 6],
      [c, 2 / 6],
    ] as const)
      expect(Math.abs(share - due)).toBeLessThan(0.02);
  });

  test.each([
    [
      'its checks fail',
      (one: Member) => {
        one.healthy = false;
      },
    ],
    [
      'it failed three times in a row',
      (one: Member) => {
        for (let times = 0; times < 3; times++) one.failed(0);
      },
    ],
  ])('moves the clients of one alone while %s, and back', (_why, leave) => {
    const [a, b, c] = [member('a'), member('b'), member('c')];
    const group = new UpstreamGroup([a, b, c], true);
    const before = chosen(group);
    leave(b);
    const during = chosen(group);
    const moved = clients.filter((client) => during.get(client) !== before.get(client));
    expect(moved).toEqual(clients.filter((client) => before.get(client) === 'b'));
    const counts = shares(new Map(moved.map((client) => [client, during.get(client) ?? ''])));
    expect(Math.abs((counts['a'] ?? 0) - (counts['c'] ?? 0))).toBeLessThan(0.03);
    b.healthy = true;
    expect(chosen(group, 10_000)).toEqual(before);
  });

  test('asks a standby only while no other one is alive', () => {
    const [a, s] = [member('a'), member('s', 100, true)];
    const group = new UpstreamGroup([a, s], true);
    expect(shares(chosen(group))).toHaveProperty('a');
    expect(shares(chosen(group))).not.toHaveProperty('s');
    a.healthy = false;
    expect(shares(chosen(group))).not.toHaveProperty('a');
  });

  test('serves each address by one upstream, and by another once that is gone', async () => {
    await using one = await startUpstream((_incoming, response) => void response.end('one'));
    const two = await startUpstream((_incoming, response) => void response.end('two'));
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'] },
      sites: [{ backend_url: one.url, upstream: { affinity: 'address', further: [{ url: two.url }] } }],
    });
    const addresses = Array.from({ length: 12 }, (_, at) => `203.0.113.${at}`);
    const served = () =>
      Promise.all(
        addresses.map(async (address) => {
          const { body } = await ask(gateway.port, '/', { headers: { 'X-Forwarded-For': address } });
          return body;
        }),
      );
    const first = await served();
    expect(new Set(first)).toEqual(new Set(['one', 'two']));
    expect(await served()).toEqual(first);
    await two[Symbol.asyncDispose]();
    expect(new Set(await served())).toEqual(new Set(['one']));
  });
});

/** Answers with its name, and ends a connection at the second request on it, as after an idle timeout. */
function upstreamWithStaleConnections(name: string): Promise<StartedUpstream> {
  const used = new WeakSet<Socket>();
  return startRawUpstream((socket) => {
    if (used.has(socket)) socket.destroy();
    else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n${name}`);
    used.add(socket);
  });
}

test('a client stays with its upstream when a kept connection has gone stale', async () => {
  await using one = await upstreamWithStaleConnections('one');
  await using two = await upstreamWithStaleConnections('two');
  await using gateway = await startGateway({
    sites: [{ backend_url: one.url, upstream: { affinity: 'address', further: [{ url: two.url }] } }],
  });
  const answers: string[] = [];
  for (let i = 0; i < 6; i++) answers.push((await ask(gateway.port, '/')).body);
  expect(answers[0]).toMatch(/^(?:one|two)$/);
  expect(new Set(answers).size).toBe(1);
  expect(gateway.sink.events).toEqual([]);
});

describe('when an upstream of several fails', () => {
  test('a request that it never got goes to the next one', async () => {
    await using alive = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: 'http://127.0.0.1:9', upstream: { further: [{ url: alive.url }] } }],
    });
    for (let i = 0; i < 6; i++) expect((await ask(gateway.port, '/')).status).toBe(200);
    expect(gateway.sink.events).toEqual([]);
  });

  test('a kept connection that has gone stale is replaced where repeating is safe', async () => {
    let requests = 0;
    await using upstream = await startRawUpstream((socket) => {
      requests++;
      // The second request on a connection finds it closed, as after an idle timeout.
      if (requests === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect((await ask(gateway.port, '/')).body).toBe('ok');
    expect((await ask(gateway.port, '/')).body).toBe('ok');
    expect(requests).toBe(3);
  });

  test('a request that breaks it takes it from the client who sent it alone', async () => {
    await using main = await startRawUpstream((socket, bytes) => {
      if (bytes.includes('/crash')) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmain');
    });
    await using standby = await startUpstream((_request, response) => void response.end('standby'));
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'] },
      sites: [{ backend_url: main.url, upstream: { further: [{ url: standby.url, standby: true }] } }],
    });
    const crash = async (client: string) => {
      const headers = { 'X-Forwarded-For': client };
      const { status } = await ask(gateway.port, '/crash', { method: 'POST', headers, body: 'x' });
      return status;
    };
    for (let i = 0; i < 4; i++) expect(await crash('192.0.2.1')).toBe(502);
    expect((await ask(gateway.port, '/')).body).toBe('main');
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) expect(await crash(client)).toBe(502);
    expect((await ask(gateway.port, '/')).body).toBe('standby');
  });

  test('a POST is never sent twice', async () => {
    let requests = 0;
    await using upstream = await startRawUpstream((socket) => {
      requests++;
      socket.destroy();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect((await ask(gateway.port, '/', { method: 'POST', body: 'pay' })).status).toBe(502);
    expect(requests).toBe(1);
  });

  test('a client that still uploads gets the page, not a broken connection', async () => {
    await using gateway = await startGateway({ sites: [{ security_level: 'off' }] });
    const answer = await ask(gateway.port, '/', { method: 'POST', body: Buffer.alloc(100_000) });
    expect(answer.status).toBe(502);
  });
});

test('the upstream can be asked under its own name', async () => {
  await using upstream = await startUpstream();
  await using gateway = await startGateway({
    sites: [{ backend_url: upstream.url, upstream: { host_header: 'upstream' } }],
  });
  const seen = once(upstream.server, 'request');
  await ask(gateway.port, '/', { headers: { Host: 'shop.example.com' } });
  const [request] = await seen;
  expect(request.headers).toMatchObject({
    host: `127.0.0.1:${upstream.port}`,
    'x-forwarded-host': 'shop.example.com',
  });
});

describe('an upstream that lets nobody connect', () => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const upgrade = `GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`;

  /** Takes connections and says nothing, so that TLS never comes about. */
  async function before() {
    let connections = 0;
    const silent = await startRawUpstream(() => void connections++);
    const other = await startUpstream((_request, response) => void response.end('other'));
    const gateway = await startGateway({
      general: { connectTimeout: 1 },
      sites: [
        {
          backend_url: silent.url.replace('http:', 'https:'),
          upstream: { weight: 3, further: [{ url: other.url }] },
        },
      ],
    });
    return {
      gateway,
      connections: () => connections,
      async [Symbol.asyncDispose]() {
        for (const one of [gateway, silent, other]) await one[Symbol.asyncDispose]();
      },
    };
  }

  test.each([
    ['requests', (port: number) => ask(port, '/', { method: 'POST', body: 'once' }).then(({ body }) => body)],
    ['handshakes', (port: number) => speak(port, upgrade)],
  ])('gives way to another after the connect timeout, and leaves the rotation: %s', async (_of, send) => {
    await using stand = await before();
    const ask4 = () => Promise.all(Array.from({ length: 4 }, () => send(stand.gateway.port)));
    vi.useFakeTimers({ toFake: ['performance'] });
    const first = ask4();
    await vi.waitFor(() => expect(stand.connections()).toBe(3));
    // As long as ten seconds of waiting by the default timeout.
    vi.advanceTimersByTime(10_000);
    for (const answer of [...(await first), ...(await ask4())]) expect(answer).toContain('other');
    expect(stand.connections()).toBe(3);
  });
});
