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

  test.each([
    { mode: 'block', status: 503, decision: 'block', retryAfter: '2' },
    { mode: 'pass', status: 200, decision: 'pass', retryAfter: undefined },
  ] as const)(
    'is shared by all requests; used up, the site’s mode decides: $mode',
    async ({ mode, status, decision, retryAfter }) => {
      await using upstream = await startUpstream();
      await using gateway = await startGateway(
        { sites: [{ backend_url: upstream.url, failure_modes: { over_budget: mode } }] },
        { maxHeldBytes: 100 * kib },
      );
      const seen = () => upstream.requests.map(({ url }) => url);
      const post = (path: string, bytes: number) =>
        ask(gateway.port, path, { method: 'POST', headers: form, body: `a=${'b'.repeat(bytes - 2)}` });
      const slow = slowClient(gateway.port, 100 * kib, 90 * kib);
      const told = () => gateway.sink.events.some((one) => one.ruleId === 'memory');
      // Until the other one's bytes have been read, there is room.
      let answer = await post('/late', 60 * kib);
      while (answer.status === 200 && !told()) answer = await post('/late', 60 * kib);
      const event = await gateway.sink.event((one) => one.ruleId === 'memory');
      expect(event).toMatchObject({ kind: 'engine', decision, path: '/late', status });
      expect(answer.status).toBe(status);
      expect(answer.headers['retry-after']).toBe(retryAfter);
      slow.destroy();
      // Its share comes back with its end.
      let after = await post('/after', 60 * kib);
      while (after.status === 503) after = await post('/after', 60 * kib);
      expect(seen()).toContain('/after');
    },
  );

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
