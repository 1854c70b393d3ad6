import { describe, expect, test } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

const json = { Accept: 'application/json' };
const keys = { challengeKeys: [{ id: 'k1', secret: Buffer.alloc(32, 7).toString('base64') }] };

/** `CDN-Loop` as an upstream saw it, one entry a line. */
const marksOf = (seen: { headersDistinct: NodeJS.Dict<string[]> } | undefined) =>
  seen?.headersDistinct['cdn-loop'] ?? [];

describe('a request that comes back', () => {
  test('is refused at its fourth return, where the name of an upstream leads to the gateway itself', async () => {
    await using gateway = await startGateway({});
    const looping = { backend_url: `http://localhost:${gateway.port}` };
    gateway.configure({ sites: [looping] });
    const answer = await ask(gateway.port, '/?a=1', { headers: json });
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([508, 'loop_detected']);
    expect(answer.headers['cache-control']).toBe('no-store');
    const event = await gateway.sink.event(({ kind }) => kind === 'upstream_error');
    expect(event).toMatchObject({ status: 508, level: 'error', path: '/?a=1' });
    expect(event.message).toContain(`leads to this gateway again (http://localhost:${gateway.port})`);
    await gateway.gateway.stop({ graceMs: 500 });
    expect(gateway.sink.counters.reduce((sum, { requests }) => sum + requests, 0)).toBe(5);
    expect(gateway.sink.events).toHaveLength(1);
  });

  test('is known by every gateway that has the same keys', async () => {
    await using first = await startGateway({});
    await using second = await startGateway({});
    const looping = { id: 'site-loop', backend_url: `http://localhost:${second.port}` };
    for (const gateway of [first, second]) gateway.configure({ secrets: keys, sites: [looping] });
    expect((await ask(first.port, '/')).status).toBe(508);
    const event = await second.sink.event(({ kind }) => kind === 'upstream_error');
    expect(event.message).toContain('came back');
  });

  test('goes on where the upstream asks its own public name with all it got', async () => {
    let port = 0;
    let calls = 0;
    await using upstream = await startUpstream((request, response) => {
      calls += 1;
      const headers = { 'CDN-Loop': String(request.headers['cdn-loop']) };
      if (request.url === '/3') response.end();
      else void ask(port, `/${calls}`, { headers }).then(({ status }) => response.end(String(status)));
    });
    await using gateway = await startGateway({ secrets: keys, sites: [{ backend_url: upstream.url }] });
    port = gateway.port;
    expect(await ask(port, '/')).toMatchObject({ status: 200, body: '200' });
    expect([calls, gateway.sink.events.length]).toEqual([4, 0]);
  });

  test('goes on where it comes back to another site', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({});
    gateway.configure({
      sites: [
        {
          domains: ['outer.test'],
          backend_url: `http://localhost:${gateway.port}`,
          upstream: { host_header: 'upstream' },
        },
        { domains: ['localhost'], backend_url: upstream.url },
      ],
    });
    expect((await ask(gateway.port, '/', { headers: { Host: 'outer.test' } })).status).toBe(200);
    expect(marksOf(upstream.requests[0])).toHaveLength(2);
  });

  test('is not known by a mark that a client made up, and the marks of other proxies stay', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      secrets: keys,
      sites: [{ id: 'site-shop', backend_url: upstream.url }],
    });
    const forged = 'portcullis;site=site-shop;proof=k1.AAAA';
    for (const sent of ['other.example', forged]) {
      expect((await ask(gateway.port, '/', { headers: { 'CDN-Loop': sent } })).status).toBe(200);
    }
    const [others, own] = marksOf(upstream.requests[0]);
    expect(others).toBe('other.example');
    expect(own).toMatch(/^portcullis;site=site-shop;proof=k1\.[\w-]{43}$/);
  });
});
