import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Awaited, settled, wait } from './patience.ts';

/** @returns an answer, and a promise of how long it was waited for, in milliseconds */
function answer(patienceMs: () => number | undefined) {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  const awaited: Awaited = {
    heardAt: startedAt,
    patienceMs,
    giveUp: () => resolve(performance.now() - startedAt),
  };
  const place = wait(awaited);
  return { promise: promise.finally(() => settled(place)), awaited };
}

test('an upstream that stays quiet is given up when its time is up, not before', async () => {
  const waited = await Promise.all([100, 300].map((patience) => answer(() => patience).promise));
  expect(waited[0]).toBeGreaterThanOrEqual(100);
  expect(waited[1]).toBeGreaterThanOrEqual(300);
});

test('time does not count while it is others that are slow', async () => {
  let asked = 0;
  const { promise } = answer(() => (++asked > 2 ? 100 : undefined));
  expect(await promise).toBeGreaterThanOrEqual(350);
});

test('an answer that came while the process was held still is not given up', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [writer] = (await once(server, 'connection')) as [Socket];
  const outcome = Promise.withResolvers<string>();
  const patience = { heardAt: performance.now(), patienceMs: () => 100 };
  const place = wait({ ...patience, giveUp: () => outcome.resolve('given up') });
  reader.once('data', () => outcome.resolve('read'));
  writer.write('the answer');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  expect(await outcome.promise).toBe('read');
  settled(place);
  for (const end of [writer, reader]) end.destroy();
  server.close();
});
