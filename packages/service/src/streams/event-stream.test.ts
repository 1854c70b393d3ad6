import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { EventStream, frame } from './event-stream.ts';

it('tells a slow reader how many entries it missed, and holds no more than a bounded backlog for it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const stream = new EventStream(response);
  stream.open({});
  socket.pause();
  const entry = frame('log', { text: 'x'.repeat(64 * 1024) });
  for (let sent = 0; sent < 400; sent++) stream.send(entry, 1);
  expect(response.writableLength).toBeLessThan(2 * 1024 * 1024);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.resume();
  await once(response, 'drain');
  stream.send(frame('log', { text: 'after' }), 1);
  stream.end();
  await once(socket, 'end');
  const missed = Number(/"missed":(\d+)/.exec(received)?.[1]);
  const came = received.split('event: log').length - 1;
  expect(missed).toBeGreaterThan(0);
  expect(came + missed).toBe(401);
  expect(received.indexOf('after')).toBeGreaterThan(received.indexOf('missed'));
  socket.destroy();
  server.close();
});

it('says that it is closed of a reader who left before it was asked', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  socket.destroy();
  await once(response, 'close');
  const stream = new EventStream(response);
  stream.open({});
  let told = 0;
  stream.onClose(() => {
    told += 1;
  });
  expect(told).toBe(1);
  server.close();
});
