import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HeldMemory } from '../limits/index.ts';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

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
