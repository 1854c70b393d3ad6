import { lookup } from 'node:dns';
import type { ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';
import { HealthChecker, type HealthPlan } from './checker.ts';
import { Gate } from './gate.ts';

const plan: HealthPlan = {
  ...{ siteId: 'shop', origin: '', host: 'shop.test', path: '/alive?deep=1', ca: '', verifyTls: true },
  ...{ intervalMs: 1, timeoutMs: 30_000 },
};

/** Checks that end with the test. @returns what was said, each time with the number of the check */
function checking(own: Partial<HealthPlan>) {
  const news: string[] = [];
  const onNews = (turned: boolean) => {
    const { healthy, checksPassed, checksFailed } = checker.health;
    news.push(`${checksPassed + checksFailed} ${healthy ? 'up' : 'down'}${turned ? ', turned' : ''}`);
  };
  const options = { gate: new Gate(), lookup: lookup as LookupFunction, onNews };
  const checker = new HealthChecker({ ...plan, ...own }, options);
  checker.start();
  return { checker, news, [Symbol.dispose]: () => checker.stop() };
}

describe('an upstream that is checked', () => {
  test('is down after three failures in a row and up after two passes, told each time', async () => {
    const statuses = [200, 503, 500, 404, 503, 503, 503, 302, 503, 204, 200];
    const left = statuses.values();
    const done = Promise.withResolvers<ServerResponse>();
    await using upstream = await startUpstream((_request, response) => {
      const next = left.next();
      // The one behind the last is never answered.
      if (next.done) done.resolve(response);
      else response.writeHead(next.value).end();
    });
    using check = checking({ origin: upstream.url });
    await done.promise;
    expect(check.news).toEqual(['1 up', '7 down, turned', '11 up, turned']);
    expect(check.checker.health).toEqual({ healthy: true, checksPassed: 5, checksFailed: 6 });
    const { url, headers } = upstream.requests[0] ?? {};
    expect([url, headers?.host]).toEqual(['/alive?deep=1', 'shop.test']);
    expect(headers?.['user-agent']).toBe('Portcullis health check');
  });

  test('is down at once where the first check fails, for want of an answer too', async () => {
    await using upstream = await startUpstream(() => undefined);
    using check = checking({ origin: upstream.url, timeoutMs: 20, intervalMs: 3_600_000 });
    await vi.waitFor(() => expect(check.news).toEqual(['1 down, turned']));
    expect(check.checker.health.reason).toBe('no answer within 20 ms');
  });
});

test('an upstream that the checks find down gets no requests until they find it up', async () => {
  let status = 200;
  const startMember = (name: string) =>
    startUpstream((request, response) => {
      response.writeHead(request.url === '/alive' && name === 'sick' ? status : 200).end(name);
    });
  await using sick = await startMember('sick');
  await using well = await startMember('well');
  await using gateway = await startGateway({
    sites: [
      {
        backend_url: sick.url,
        upstream: { further: [{ url: well.url, weight: 1 }] },
        healthCheck: { enabled: true, path: '/alive', interval: 1, timeout: 1 },
      },
    ],
  });
  const served = async () => {
    const bodies = [];
    for (let i = 0; i < 4; i++) bodies.push((await ask(gateway.port, '/')).body);
    return bodies.toSorted();
  };
  const told = (message: string) =>
    gateway.sink.event((event) => event.kind === 'health' && event.message.includes(message));
  expect(await served()).toEqual(['sick', 'sick', 'well', 'well']);
  status = 503;
  await told(`${sick.url} is down: answered 503`);
  expect(await served()).toEqual(Array(4).fill('well'));
  status = 200;
  await told(`${sick.url} answers again`);
  expect(await served()).toEqual(['sick', 'sick', 'well', 'well']);
});
