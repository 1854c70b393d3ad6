import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

// A machine without ::1 has nobody to ask from.
describe.runIf(hasIPv6)('a gateway that listens on IPv6 and IPv4', () => {
  test('answers both, and takes who comes by IPv4 for the same client as on a socket of IPv4', async () => {
    await using upstream = await startUpstream((request, response) =>
      response.end(String(request.headers['x-forwarded-for'])),
    );
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] }, { host: '::' });
    const asked = (address: string) => ask(gateway.port, '/', { address });
    expect((await asked('127.0.0.1')).body).toBe('127.0.0.1');
    expect((await asked('::1')).body).toBe('::1');
    const attack = "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--";
    await ask(gateway.port, attack);
    expect((await gateway.sink.event(({ decision }) => decision === 'block')).clientIp).toBe('127.0.0.1');
  });

  test('knows addresses of IPv4 in lists, limits and among trusted proxies', async () => {
    await using upstream = await startUpstream((request, response) =>
      response.end(String(request.headers['x-forwarded-for'])),
    );
    const site = {
      backend_url: upstream.url,
      rate_limit: { enabled: true, capacity: 1, window: 86_400 },
    };
    await using gateway = await startGateway({ sites: [site] }, { host: '::' });
    const status = async (address: string, headers = {}) =>
      (await ask(gateway.port, '/', { address, headers })).status;
    expect([await status('127.0.0.1'), await status('127.0.0.1')]).toEqual([200, 429]);
    expect(await status('::1')).toBe(200);
    const blocked = { id: 'all', name: 'All', action: 'block' as const, entries: ['127.0.0.0/8'] };
    gateway.configure({ sites: [{ backend_url: upstream.url }], addressLists: [blocked] });
    expect(await status('127.0.0.1')).toBe(403);
    expect(await status('::1')).toBe(200);
    gateway.configure({
      sites: [{ backend_url: upstream.url }],
      security: { trustedProxies: ['127.0.0.1'] },
    });
    const forwarded = { 'X-Forwarded-For': '198.51.100.7' };
    const heard = await ask(gateway.port, '/', { headers: forwarded });
    expect(heard.body).toBe('198.51.100.7, 127.0.0.1');
    expect((await ask(gateway.port, '/', { address: '::1', headers: forwarded })).body).toBe('::1');
  });
});
