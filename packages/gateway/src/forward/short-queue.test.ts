import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startUpstream } from '../testing/index.ts';
import { shortQueue } from './short-queue.ts';
import { Upstream } from './upstream.ts';

const options = { connectMs: 1000, headersMs: 1000, bodyMs: 1000, verifyTls: true, ca: '' };

test('an upstream that nobody asks takes little memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const count = 1000;
  collect();
  const before = process.memoryUsage().heapUsed;
  const upstreams = Array.from(
    { length: count },
    (_, at) => new Upstream(`http://s${at}.test`, options, lookup as LookupFunction),
  );
  collect();
  expect((process.memoryUsage().heapUsed - before) / upstreams.length).toBeLessThan(12_000);
});

test('who has to wait in a pool all the same is served in turn', async () => {
  const served: (string | undefined)[] = [];
  await using server = await startUpstream((request, response) => {
    served.push(request.url);
    response.end();
  });
  const upstream = new Upstream(server.url, options, lookup as LookupFunction, 1);
  const paths = ['/a', '/b', '/c', '/d'];
  const answers = await Promise.all(paths.map((path) => upstream.pool.request({ path, method: 'GET' })));
  await Promise.all(answers.map(({ body }) => body.dump()));
  expect(served).toEqual(paths);
  await upstream.pool.close();
});

test('a pool that is built in another way is refused by its name', () => {
  expect(() => shortQueue({} as never)).toThrow(/undici .* in another way/);
});
