import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HeldMemory } from '../limits/index.ts';
import { ask, certificateFor, startGateway, startUpstream } from '../testing/index.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const kib = 1024;

/** A client that has sent `sent` of `announced` body bytes and waits. */
function slowClient(port: number, announced: number, sent: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /slow HTTP/1.1\r\nHost: a.test\r\nContent-Type: ${form['Content-Type']}\r\nContent-Length: ${announced}\r\n\r\n${'a'.repeat(sent)}`,
  );
  return socket;
}

describe('the memory for held bodies', () => {
  test('is taken and given back once', () => {
    const memory = new HeldMemory(100);
    const [a, b] = [{ heldBytes: 0 }, { heldBytes: 0 }];
    expect([memory.take(a, 60), memory.take(b, 60), memory.take(b, 40), memory.held]).toEqual([
      true,
      false,
      true,
      100,
    ]);
    memory.give(a);
    memory.give(a);
    expect(memory.held).toBe(40);
  });

  test('comes from the longest arrival first, never from what has arrived', () => {
    const memory = new HeldMemory(100);
    const [whole, first, second, third] = [0, 0, 0, 0].map(() => ({ heldBytes: 0 }));
    if (!whole || !first || !second || !third) throw new Error('four holders');
    const ignore = () => undefined;
    memory.take(whole, 40);
    for (const holder of [first, second]) {
      memory.take(holder, 30);
      memory.arriving(holder, ignore);
    }
    expect(memory.take(third, 30)).toBe(true);
    expect([whole, first, second, third].map((one) => one.heldBytes)).toEqual([40, 0, 30, 30]);
    expect(memory.take(second, 80)).toBe(false);
    expect(second.heldBytes).toBe(30);
  });

  test('is shared among clients once half of it is taken; one body alone may be larger than a share', () => {
    const memory = new HeldMemory(160);
    const holder = (client: string) => ({ client, heldBytes: 0 });
    const [large, second, small, other, third] = ['a', 'a', 'b', 'c', 'b'].map(holder);
    if (!large || !second || !small || !other || !third) throw new Error('five holders');
    expect([memory.take(large, 60), memory.take(second, 20), memory.take(second, 1)]).toEqual([
      ...[true, true],
      false,
    ]);
    expect([memory.take(small, 15), memory.take(third, 6), memory.take(third, 5)]).toEqual([
      ...[true, false],
      true,
    ]);
    // Its own older arrival gives way to it, and nobody else's.
    memory.arriving(small, () => undefined);
    memory.take(other, 10);
    memory.arriving(other, () => undefined);
    expect(memory.take(third, 10)).toBe(true);
    expect([small, other, third].map(({ heldBytes }) => heldBytes)).toEqual([0, 10, 15]);
    for (const one of [large, second, other, third]) memory.give(one);
    expect(memory.held).toBe(0);
    expect([memory.take(second, 80), memory.take(large, 80)]).toEqual([true, false]);
  });

  test.each([
    { mode: 'block', status: 503, decision: 'block', retryAfter: '2' },
    { mode: 'pass', status: 200, decision: 'pass', retryAfter: undefined },
  ] as const)(
    'is shared by all requests; one that finds no room meets the site’s mode: $mode',
    async ({ mode, status, decision, retryAfter }) => {
      await using upstream = await startUpstream((request, response) => {
        request.resume().on('end', () => response.end('kept'));
      });
      await using gateway = await startGateway(
        { sites: [{ backend_url: upstream.url, failure_modes: { over_budget: mode } }] },
        { maxHeldBytes: 50 * kib },
      );
      const post = (bytes: number) =>
        ask(gateway.port, '/', { method: 'POST', headers: form, body: `a=${'b'.repeat(bytes - 2)}` });
      const answer = await post(90 * kib);
      expect(answer.status).toBe(status);
      expect(answer.headers['retry-after']).toBe(retryAfter);
      const event = await gateway.sink.event((one) => one.ruleId === 'memory');
      expect(event).toMatchObject({ kind: 'engine', decision, path: '/', status });
      expect((await post(40 * kib)).status).toBe(200);
    },
  );

  test('uploads that never end give way to those that come at once', async () => {
    await using upstream = await startUpstream((request, response) => {
      request.resume().on('end', () => response.end('kept'));
    });
    await using gateway = await startGateway(
      { sites: [{ backend_url: upstream.url }] },
      { maxHeldBytes: 100 * kib },
    );
    const body = `a=${'b'.repeat(60 * kib)}`;
    const ends = Array.from({ length: 8 }, () => once(slowClient(gateway.port, 100 * kib, 40 * kib), 'data'));
    for (let at = 0; at < 10; at++) {
      const answer = await ask(gateway.port, '/', { method: 'POST', headers: form, body });
      expect(answer).toMatchObject({ status: 200, body: 'kept' });
    }
    const answers = await Promise.race(ends);
    expect(String(answers[0])).toMatch(/^HTTP\/1\.1 503 /);
  });

  test.each([
    ['an upstream answered', 'a=', 200],
    ['we refused', "a=1' UNION SELECT password FROM users--&b=", 403],
  ])('holds no body that %s, though its client reads no answer', async (_name, beginning, status) => {
    await using upstream = await startUpstream((request, response) => {
      request.resume().on('end', () => response.end('kept'));
    });
    await using gateway = await startGateway(
      {
        certificates: [await certificateFor(['a.test'])],
        sites: [{ domains: ['a.test'], backend_url: upstream.url, ssl: { enabled: true } }],
      },
      { maxHeldBytes: 100 * kib },
    );
    const session = connectHttp2(`https://127.0.0.1:${gateway.httpsPort}`, {
      servername: 'a.test',
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    });
    const blind = session.request({
      ':method': 'POST',
      ':path': '/',
      ':authority': 'a.test',
      'content-type': form['Content-Type'],
    });
    blind.end(`${beginning}${'b'.repeat(60 * kib)}`);
    const [head] = (await once(blind, 'response')) as [IncomingHttpHeaders];
    expect(head[':status']).toBe(status);
    const headers = { ...form, Host: 'a.test' };
    const answer = await ask(gateway.port, '/', {
      method: 'POST',
      headers,
      body: `a=${'b'.repeat(60 * kib)}`,
    });
    expect(answer.status).toBe(200);
    session.destroy();
  });

  test('an upload that was looked at holds none of it while it goes on', async () => {
    await using upstream = await startUpstream((request, response) => {
      request.resume();
      request.on('end', () => response.end('kept'));
    });
    await using gateway = await startGateway(
      { sites: [{ backend_url: upstream.url }] },
      { maxHeldBytes: 200 * kib },
    );
    const slow = slowClient(gateway.port, 900 * kib, 300 * kib);
    while (upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const answer = await ask(gateway.port, '/', {
      method: 'POST',
      headers: form,
      body: `a=${'b'.repeat(140 * kib)}`,
    });
    expect(answer).toMatchObject({ status: 200, body: 'kept' });
    slow.destroy();
  });
});
