import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from './event-stream.ts';
import { LogHub } from './log-hub.ts';
import { ReaderGroup } from './reader-group.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A stream over a real connection. @returns it, and what its reader got so far */
async function opened() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const stream = new EventStream(response);
  stream.open({});
  const count = (event: string) => text.split(`event: ${event}`).length - 1;
  // Polling would move the clock on.
  const came = async (event: string, times: number) => {
    while (count(event) < times) await once(socket, 'data');
  };
  return { stream, count, came };
}

const hub = () => new LogHub('run', () => {});
const group = () => new ReaderGroup();

it.each([
  ['the live log', hub, 1],
  ['the system figures', group, 0],
] as const)('%s says every 15 seconds that it is there', async (_what, make, atOnce) => {
  const readers = make();
  readers.start();
  onTestFinished(() => readers.stop());
  const { stream, count, came } = await opened();
  const reader = { stream, filter: {}, isValid: async () => true };
  if (readers instanceof LogHub) readers.add(reader, undefined);
  else readers.add(reader);
  for (const beats of [1, 2]) {
    vi.advanceTimersByTime(14_999);
    // What is sent comes in order: behind this nothing of before is under way.
    stream.send('event: mark\n\n', 0);
    await came('mark', beats);
    expect(count('ping')).toBe(atOnce + beats - 1);
    vi.advanceTimersByTime(1);
    await came('ping', atOnce + beats);
  }
});
