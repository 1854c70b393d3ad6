import { Cors } from '@portcullis/contract/sites';
import { describe, expect, test } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

const cors = {
  enabled: true,
  allowed_origins: ['https://app.example.com', 'https://*.partner.example'],
  allow_credentials: true,
  max_age: 60,
};

const preflight = (port: number, origin: string) =>
  ask(port, '/api', {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
  });

describe('CORS', () => {
  test('a preflight of an allowed origin is answered at the gateway', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, cors }] });
    const answer = await preflight(gateway.port, 'https://app.example.com');
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
      'access-control-max-age': '60',
      vary: 'Origin',
    });
    expect(upstream.requests).toEqual([]);
  });

  test.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://.partner.example',
    'http://a.partner.example',
    'null',
  ])('the origin %s is not let in', async (origin) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, cors }] });
    for (const answer of [
      await preflight(gateway.port, origin),
      await ask(gateway.port, '/', { headers: { Origin: origin } }),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers.vary).toBe('Origin');
    }
  });

  test('what the upstream says of CORS gives way to what the operator set', async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*', Vary: 'Accept' }).end();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, cors }] });
    const answer = await ask(gateway.port, '/', { headers: { Origin: 'https://a.partner.example' } });
    expect(answer.headers['access-control-allow-origin']).toBe('https://a.partner.example');
    expect(answer.headers.vary).toBe('Accept, Origin');
  });

  test('any origin never comes with credentials', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        { backend_url: upstream.url, cors: { enabled: true, origin_policy: 'any', allow_credentials: true } },
      ],
    });
    const answer = await ask(gateway.port, '/', { headers: { Origin: 'https://a.example' } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    // What a cache keeps of a visit without Origin must serve pages of others too.
    expect((await ask(gateway.port, '/')).headers['access-control-allow-origin']).toBe('*');
  });

  test('a program of another origin reads why it was refused, and what the upstream exposes', async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { 'Access-Control-Expose-Headers': 'X-Total' }).end();
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, cors }] });
    const headers = { Origin: 'https://app.example.com' };
    const blocked = await ask(gateway.port, `/?q=${encodeURIComponent("1' OR '1'='1")}`, { headers });
    expect(blocked.status).toBe(403);
    expect(blocked.headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect((await ask(gateway.port, '/', { headers })).headers['access-control-expose-headers']).toBe(
      'X-Total',
    );
  });

  test.each([
    [{ allowed_origins: ['null'] }],
    [{ allowed_origins: ['app.example.com'] }],
    [{ allowed_origins: ['https://app.example.com, https://b.example'] }],
    [{ allowed_headers: ['X-A\r\nSet-Cookie: a=b'] }],
  ])('what no browser would understand is not taken: %j', (wrong) => {
    expect(Cors.safeParse(wrong).success).toBe(false);
  });

  test('a site without CORS leaves preflights to its upstream', async () => {
    await using upstream = await startUpstream((_request, response) => void response.writeHead(418).end());
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect((await preflight(gateway.port, 'https://app.example.com')).status).toBe(418);
  });
});
