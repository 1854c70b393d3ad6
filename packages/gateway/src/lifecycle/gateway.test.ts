import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ask, CollectingSink, site, snapshot, startGateway, startUpstream } from '../testing/index.ts';

describe('configuration', () => {
  test('before the first configuration every request gets 503', async () => {
    await using gateway = await startGateway();
    const answer = await ask(gateway.port, '/');
    expect(answer.status).toBe(503);
    expect(answer.body).toContain('Not configured yet');
  });

  test('an unknown Host gets a neutral 404, counted without a site', async () => {
    await using gateway = await startGateway({ sites: [{ domains: ['shop.example.com'] }] });
    expect((await ask(gateway.port, '/', { headers: { Host: '10.0.0.1' } })).status).toBe(404);
    const counted = await gateway.sink.until(() =>
      gateway.sink.counters.find((one) => one.siteId === undefined),
    );
    expect(counted).toMatchObject({ requests: 1, statuses: [0, 0, 0, 1, 0] });
  });

  test('exact domains beat wildcards, longer wildcards shorter ones, and all of them *', async () => {
    const named = async (name: string) => startUpstream((_request, response) => void response.end(name));
    await using exact = await named('exact');
    await using deep = await named('deep');
    await using wide = await named('wide');
    await using any = await named('any');
    await using gateway = await startGateway({
      sites: [
        { domains: ['*'], backend_url: any.url },
        { domains: ['*.example.com'], backend_url: wide.url },
        { domains: ['*.shop.example.com'], backend_url: deep.url },
        { domains: ['a.shop.example.com'], backend_url: exact.url },
      ],
    });
    const reached = async (host: string) => (await ask(gateway.port, '/', { headers: { Host: host } })).body;
    expect(await reached('A.shop.example.com:8080')).toBe('exact');
    expect(await reached('b.shop.example.com')).toBe('deep');
    expect(await reached('shop.example.com.')).toBe('wide');
    expect(await reached('example.com')).toBe('any');
  });

  test('a snapshot that does not validate is refused whole and reported; the old one stays', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const broken = { ...snapshot({ version: 7 }), sites: [{ name: 'no upstream' }] };
    gateway.source.send({ type: 'snapshot', snapshot: broken as never });
    const report = await gateway.sink.until(() => gateway.sink.reports.find((one) => one.refused));
    expect(report).toMatchObject({ configVersion: 1, refused: { version: 7 } });
    expect(report.refused?.reason).toContain('sites.0');
    expect((await ask(gateway.port, '/')).status).toBe(200);
  });

  test('a restart without control plane serves what last worked', async () => {
    await using upstream = await startUpstream();
    await using first = await startGateway({ sites: [{ backend_url: upstream.url }] });
    await first.gateway.stop();
    await using second = await startGateway(undefined, { dataDir: first.dataDir });
    expect((await ask(second.port, '/')).body).toBe('hello');
  });

  test('a broken stored configuration is set aside and said so', async () => {
    await using empty = await startGateway();
    const file = path.join(empty.dataDir, 'gateway', 'last-good.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"linkVersion": 1, "sites": 3');
    await using gateway = await startGateway(undefined, { dataDir: empty.dataDir });
    expect((await ask(gateway.port, '/')).status).toBe(503);
    expect(gateway.logged.join('\n')).toContain('was set aside');
    expect(readFileSync(`${file}.broken`, 'utf8')).toContain('"sites": 3');
  });

  test('100 reloads under load lose no request', async () => {
    await using upstream = await startUpstream();
    const sites = [site({ backend_url: upstream.url })];
    await using gateway = await startGateway({ sites });
    let stop = false;
    let sent = 0;
    const client = async () => {
      while (!stop) {
        const answer = await fetch(gateway.url);
        await answer.text();
        expect(answer.status).toBe(200);
        sent++;
      }
    };
    const clients = [client(), client(), client(), client()];
    for (let reload = 0; reload < 100; reload++) {
      gateway.configure({ sites, general: { requestTimeout: 5 + (reload % 20) } });
      const reached = sent + 2;
      while (sent < reached) await new Promise((resolve) => setImmediate(resolve));
    }
    stop = true;
    await Promise.all(clients);
  });

  test('maintenance mode answers 503 to all traffic and ends at once', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url }],
      general: { maintenanceMode: true },
    });
    const answer = await ask(gateway.port, '/');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
    gateway.configure({ sites: [{ backend_url: upstream.url }] });
    expect((await ask(gateway.port, '/')).status).toBe(200);
  });

  test('a site that is switched off is not served', async () => {
    await using gateway = await startGateway({ sites: [{ enabled: false }] });
    expect((await ask(gateway.port, '/')).status).toBe(404);
  });
});

describe('stopping', () => {
  test('lets the answer under way finish and then accepts nothing more', async () => {
    let finish: (() => void) | undefined;
    const reached = Promise.withResolvers<void>();
    await using upstream = await startUpstream((_request, response) => {
      response.write('first ');
      finish = () => response.end('last');
      reached.resolve();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = ask(gateway.port, '/');
    await reached.promise;
    const stopped = gateway.gateway.stop({ graceMs: 5000 });
    finish?.();
    expect((await answer).body).toBe('first last');
    await stopped;
    await expect(ask(gateway.port, '/')).rejects.toThrow('ECONNREFUSED');
  });

  test('cuts what is still under way after the grace time', async () => {
    const reached = Promise.withResolvers<void>();
    await using upstream = await startUpstream(() => reached.resolve());
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = ask(gateway.port, '/').catch((error: Error) => error.message);
    await reached.promise;
    await gateway.gateway.stop({ graceMs: 50 });
    expect(await answer).toMatch(/hang up|ECONNRESET/);
  });
});

describe('events and figures', () => {
  test('events wait on disk while the service is away, across a restart, and arrive once', async () => {
    const sink = new CollectingSink();
    sink.away = true;
    await using first = await startGateway({ sites: [{ id: 'shop' }] }, { sink });
    await ask(first.port, '/one?password=hunter2&x=1');
    await first.gateway.stop();
    expect(sink.events).toEqual([]);
    sink.away = false;
    await using _second = await startGateway(undefined, { sink, dataDir: first.dataDir });
    const event = await sink.event((one) => one.kind === 'upstream_error');
    expect(event).toMatchObject({ siteId: 'shop', path: '/one?password=***&x=1', status: 502, count: 1 });
    expect(sink.events).toHaveLength(1);
    expect(sink.counters.filter((one) => one.siteId === 'shop').map((one) => one.requests)).toEqual([1]);
  });

  test('counters tell requests, classes, bytes and latency by minute', async () => {
    await using upstream = await startUpstream((request, response) => {
      request.resume().on('end', () => response.writeHead(request.url === '/no' ? 404 : 200).end('12345'));
    });
    await using gateway = await startGateway({ sites: [{ id: 'shop', backend_url: upstream.url }] });
    await ask(gateway.port, '/');
    await ask(gateway.port, '/no', { method: 'POST', body: 'abc' });
    const sum = (pick: (one: (typeof gateway.sink.counters)[number]) => number) =>
      gateway.sink.counters
        .filter((one) => one.siteId === 'shop')
        .reduce((total, one) => total + pick(one), 0);
    await gateway.sink.until(() => sum((one) => one.requests) === 2);
    expect(sum((one) => one.statuses[1])).toBe(1);
    expect(sum((one) => one.statuses[3])).toBe(1);
    expect(sum((one) => one.bytesIn)).toBe(3);
    expect(sum((one) => one.bytesOut)).toBe(10);
    expect(sum((one) => one.latency.reduce((a, b) => a + b, 0))).toBe(2);
    for (const one of gateway.sink.counters) expect(one.minute % 60_000).toBe(0);
  });

  test('plain passes are shown only while somebody watches', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    await ask(gateway.port, '/unseen');
    gateway.source.send({ type: 'watch', active: true });
    await ask(gateway.port, '/seen');
    const [sighting] = await gateway.sink.until(
      () => gateway.sink.sightings.length > 0 && gateway.sink.sightings,
    );
    expect(sighting).toMatchObject({ path: '/seen', decision: 'pass', level: 'debug', status: 200 });
  });

  test('requests for a host without a site are shown while somebody watches, 50 a second at most', async () => {
    await using gateway = await startGateway({ sites: [{ domains: ['shop.example.com'] }] });
    await ask(gateway.port, '/unseen', { headers: { Host: 'early.example.com' } });
    gateway.source.send({ type: 'watch', active: true });
    await ask(gateway.port, '/', { headers: { Host: 'shpo.example.com' } });
    const { sink } = gateway;
    const [sighting] = await sink.until(() => sink.sightings.length > 0 && sink.sightings.splice(0));
    expect(sighting).toMatchObject({
      message: 'No site is named shpo.example.com',
      host: 'shpo.example.com',
      decision: 'pass',
      level: 'debug',
      status: 404,
    });
    expect(sighting).not.toHaveProperty('siteId');
    const many = Array.from({ length: 120 }, (_, at) => `n${at}.example.com`);
    await Promise.all(many.map((Host) => ask(gateway.port, '/', { headers: { Host } })));
    const shown = await sink.until(() => sink.sightings.length > 0 && sink.sightings.splice(0));
    expect(shown.length).toBeLessThanOrEqual(50);
    expect(sink.events).toEqual([]);
  });

  test('a site under maintenance is served to allow-listed addresses alone', async () => {
    await using upstream = await startUpstream();
    const site = { backend_url: upstream.url };
    const pages = { maintenance: { title: 'Back at noon', message: '' } };
    await using gateway = await startGateway({
      security: { trustedProxies: ['127.0.0.1'] },
      addressLists: [{ id: 'us', name: 'Us', action: 'allow', entries: ['203.0.113.7'] }],
      sites: [
        { ...site, domains: ['shop.test'], maintenance: true, pages },
        { ...site, domains: ['blog.test'] },
      ],
    });
    const send = (Host: string, from: string) =>
      ask(gateway.port, '/', { headers: { Host, 'X-Forwarded-For': from } });
    const refused = await send('shop.test', '203.0.113.8');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '120']);
    expect(refused.body).toContain('Back at noon');
    expect((await send('shop.test', '203.0.113.7')).status).toBe(200);
    expect((await send('blog.test', '203.0.113.8')).status).toBe(200);
  });

  test('reports tell how many requests came in all, and how many to each site', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ id: 'shop', domains: ['shop.example.com'], backend_url: upstream.url }],
    });
    for (const host of ['shop.example.com', 'shop.example.com', 'nobody.example.com'])
      await ask(gateway.port, '/', { headers: { Host: host } });
    const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
    await gateway.sink.until(
      () => sum(gateway.sink.reports.flatMap(({ perSite }) => perSite.map((site) => site.requests))) === 2,
    );
    expect(gateway.sink.reports.flatMap(({ perSite }) => perSite.map(({ siteId }) => siteId))).toContain(
      'shop',
    );
    await gateway.sink.until(() => sum(gateway.sink.reports.map(({ requests }) => requests)) === 3);
  });

  test('health checks tell when an upstream goes down and why', async () => {
    await using gateway = await startGateway({
      sites: [{ id: 'shop', backend_url: 'http://127.0.0.1:9', healthCheck: { enabled: true, interval: 1 } }],
    });
    const event = await gateway.sink.event((one) => one.kind === 'health');
    expect(event).toMatchObject({ siteId: 'shop', level: 'error' });
    const report = await gateway.sink.until(() =>
      gateway.sink.reports.find((one) => one.upstreams[0]?.healthy === false),
    );
    expect(report.upstreams[0]).toMatchObject({ siteId: 'shop', url: 'http://127.0.0.1:9', checksPassed: 0 });
    expect(report.upstreams[0]?.reason).toContain('ECONNREFUSED');
  });

  test.each([
    ['stays out while the site weighs its upstreams anew', { weight: 2 }, {}, ['well']],
    ['comes back when its checks end', {}, { enabled: false }, ['ill', 'well']],
    ['comes back when it answers at another path', {}, { path: '/' }, ['ill', 'well']],
  ])('an upstream whose checks fail %s', async (_what, upstream, healthCheck, expected) => {
    await using ill = await startUpstream((request, response) => {
      response.writeHead(request.url === '/alive' ? 500 : 200).end('ill');
    });
    await using well = await startUpstream((_request, response) => void response.end('well'));
    const shop = { id: 'shop', domains: ['shop.test'], backend_url: ill.url };
    const further = [{ url: well.url }];
    const checked = { enabled: true, interval: 1, path: '/alive' };
    await using gateway = await startGateway({
      sites: [{ ...shop, upstream: { further }, healthCheck: checked }],
    });
    await gateway.sink.event((one) => one.kind === 'health');
    const served = async (host: string) => (await ask(gateway.port, '/', { headers: { Host: host } })).body;
    const changed = {
      ...shop,
      upstream: { further, ...upstream },
      healthCheck: { ...checked, ...healthCheck },
    };
    gateway.configure({ sites: [changed, { id: 'new', domains: ['new.test'], backend_url: well.url }] });
    await vi.waitFor(async () => expect(await served('new.test')).toBe('well'));
    const all = await Promise.all(Array.from({ length: 6 }, () => served('shop.test')));
    expect([...new Set(all)].sort()).toEqual(expected);
  });
});
