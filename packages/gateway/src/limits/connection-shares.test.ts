import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startGateway } from '../testing/index.ts';
import { ConnectionShares } from './connection-shares.ts';

test('a client has its share once half of all places are taken, and as many as it likes before', () => {
  const shares = new ConnectionShares();
  const places = { all: 10, perClient: 2 };
  const enter = (client: string) => shares.enter(client, places);
  expect(['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'].map(enter)).toEqual([
    ...[true, true, true, true, true, false],
    ...[true, true, false],
    true,
  ]);
  shares.leave('b');
  expect([enter('b'), enter('b'), enter('a')]).toEqual([true, false, false]);
  for (const client of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c', 'unknown']) shares.leave(client);
  expect(shares.total).toBe(0);
  expect(shares.enter('a', { all: 0, perClient: 0 })).toBe(true);
});

test('idle connections of one client leave room for the others', async () => {
  await using gateway = await startGateway({
    general: { maxConnections: 100 },
    security: { trustedProxies: ['127.0.0.1'], proxyProtocol: true, maxConcurrentPerClient: 4 },
    sites: [{}],
  });
  const sockets: Socket[] = [];
  const open = (client: string) => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(`PROXY TCP6 ${client} ::1 4711 80\r\nOPTIONS * HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    return Promise.race([
      once(socket, 'data').then(() => 'answered'),
      once(socket, 'close').then(() => 'closed'),
    ]);
  };
  // Requests that are answered leave their connections open, so that all are known to be taken.
  const crowd = [];
  for (let at = 0; at < 50; at++) crowd.push(await open(`2001:db8::${at}`));
  expect(new Set(crowd)).toEqual(new Set(['answered']));
  expect(await open('2001:db8::ffff')).toBe('closed');
  expect(await open('2001:db8:0:1::1')).toBe('answered');
  await gateway.sink.until(() =>
    gateway.sink.events.some((one) => one.message.startsWith('Closed a connection')),
  );
  const [told] = gateway.sink.events.filter((one) => one.message.startsWith('Closed a connection'));
  expect(told).toMatchObject({ clientIp: '2001:db8::ffff', kind: 'protocol' });
  for (const socket of sockets) socket.destroy();
});
