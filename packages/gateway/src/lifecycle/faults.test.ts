import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ask,
  CollectingSink,
  startGateway,
  startNameServer,
  startUpstream,
  type Zone,
} from '../testing/index.ts';

const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
const json = { Accept: 'application/json' };

describe('when something around the gateway fails', () => {
  afterEach(() => void vi.useRealTimers());

  test('a disk that takes nothing stops neither traffic nor events, and the console hears of it', async () => {
    await using upstream = await startUpstream();
    const sink = new CollectingSink();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] }, { sink });
    sink.away = true;
    // What should be a folder is a file: every write fails, as root too.
    const folder = path.join(gateway.dataDir, 'gateway');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    gateway.configure({ sites: [{ backend_url: upstream.url }] });
    expect((await ask(gateway.port, '/')).status).toBe(200);
    const { requestId } = JSON.parse((await ask(gateway.port, attack, { headers: json })).body);
    const told = await sink.until(() => sink.reports.find((report) => report.problems?.length === 2));
    expect(told.problems?.join()).toMatch(/cannot be kept on disk.*cannot be stored for the next start/);
    sink.away = false;
    expect((await sink.event((one) => one.requestId === requestId)).decision).toBe('block');
    rmSync(folder);
    mkdirSync(path.join(folder, 'spool', 'worker-1'), { recursive: true });
    gateway.configure({ sites: [{ backend_url: upstream.url }] });
    const before = sink.reports.length;
    await sink.until(() => sink.reports.slice(before).some((report) => report.problems === undefined));
  });

  test('a name that cannot be resolved costs that site alone, and says why', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        {
          id: 'lost',
          domains: ['lost.test'],
          backend_url: 'http://upstream.invalid:80',
          healthCheck: { enabled: true },
        },
        { id: 'well', domains: ['well.test'], backend_url: upstream.url },
      ],
    });
    const visit = (Host: string) => ask(gateway.port, '/', { headers: { Host, ...json } });
    const lost = await visit('lost.test');
    expect([lost.status, JSON.parse(lost.body).code]).toEqual([502, 'upstream_unavailable']);
    expect((await visit('well.test')).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'upstream_error');
    expect(event).toMatchObject({ siteId: 'lost', level: 'error', status: 502 });
    expect(event.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
    const down = await gateway.sink.event((one) => one.kind === 'health');
    expect(down).toMatchObject({ siteId: 'lost', level: 'error' });
  });

  test('a name that was resolved before is used on while name servers fail, and the console names it', async () => {
    const zone: Record<string, Zone[string]> = { 'shop.test A': ['127.0.0.1'] };
    await using names = await startNameServer(zone);
    // Each request needs a connection of its own, and each of those the name.
    await using upstream = await startUpstream((_request, response) => {
      response.setHeader('Connection', 'close').end('kept');
    });
    const sites = [{ backend_url: `http://shop.test:${upstream.port}` }];
    await using gateway = await startGateway({ sites }, { lookup: names.lookup });
    const visit = async () => (await ask(gateway.port, '/', { headers: json })).status;
    expect(await visit()).toBe(200);
    // Another one in this process knows other names.
    await using _other = await startGateway({ sites: [{ backend_url: upstream.url }] });
    zone['shop.test A'] = 'broken';
    for (let i = 0; i < 3; i++) expect(await visit()).toBe(200);
    const { sink } = gateway;
    const told = await sink.until(() => sink.reports.find((report) => report.problems !== undefined));
    expect(told.problems).toEqual([
      'Names cannot be resolved: shop.test (ESERVFAIL); the last known address is used',
    ]);
    zone['shop.test A'] = ['127.0.0.1'];
    expect(await visit()).toBe(200);
    const before = sink.reports.length;
    await sink.until(() => sink.reports.slice(before).some((report) => report.problems === undefined));
  });

  test.each([
    ['an hour back', -3_600_000],
    ['a day ahead', 86_400_000],
  ])('a clock that is set %s breaks neither limits nor upstreams', async (_name, jump) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        {
          backend_url: 'http://127.0.0.1:1',
          upstream: { further: [{ url: upstream.url, weight: 1 }] },
          rate_limit: { enabled: true, capacity: 8, window: 3600, refill_interval: 3600 },
        },
      ],
    });
    const statuses = async (times: number) => {
      const seen: number[] = [];
      for (let i = 0; i < times; i++) seen.push((await ask(gateway.port, '/')).status);
      return seen;
    };
    // The dead upstream is left out for ten seconds of real time meanwhile.
    expect(await statuses(6)).toEqual(Array(6).fill(200));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    const counted = await gateway.sink.until(() => {
      const all = gateway.sink.counters.reduce((sum, one) => sum + one.requests, 0);
      return all === 10 ? gateway.sink.counters : undefined;
    });
    expect(new Set(counted.map((one) => one.minute)).size).toBeGreaterThan(1);
  });

  test('a ban lasts no longer where the clock is set back', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'], banAfterBlocks: 2, banDuration: 600 },
      sites: [{ backend_url: upstream.url }],
    });
    const visit = (path: string) =>
      ask(gateway.port, path, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    for (let i = 0; i < 2; i++) expect((await visit(attack)).status).toBe(403);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
    const { status, headers } = await visit('/');
    expect(status).toBe(403);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
  });
});
