import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';

const named = 'https://ops.example.com';
const foreign = 'https://elsewhere.example';

describe('a page of another origin', () => {
  let service: TestService;
  let token: string;

  /** As a browser sends it for a page; streams are left after their head. */
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const sent = request(`${service.base}${path}`, { method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.on('error', () => {});
    sent.destroy();
    return { status: answer.statusCode, headers: answer.headers };
  };
  const preflight = (origin: string, method: string, path: string, more: Record<string, string> = {}) =>
    ask('OPTIONS', path, {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
      ...more,
    });
  const bearer = () => ({ authorization: `Bearer ${token}` });
  const allow = async (settings: { corsEnabled?: boolean; allowedOrigins?: string[] }) => {
    expect((await service.call('PUT', '/api/settings/security', settings, token)).status).toBe(200);
  };
  const readerOf = async (origin: string, method: string, path: string, body?: unknown) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { headers } = await ask(method, path, { origin, ...bearer(), ...type }, body);
    expect(headers.vary).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    return headers['access-control-allow-origin'];
  };
  const ticket = async () =>
    (await service.call('POST', '/api/auth/stream-ticket', undefined, token)).body.ticket as string;
  const withoutToken: [string, string, unknown?][] = [
    ['POST', '/api/auth/login', { email: adminEmail, password: adminPassword }],
    ['GET', '/api/setup'],
    ['POST', '/api/setup', { token: 'x', email: adminEmail, password: adminPassword }],
    ['GET', '/api/openapi.json'],
  ];

  beforeAll(async () => {
    service = await startService();
    token = await service.signIn();
  });
  afterAll(() => service.stop());

  it('makes calls that need a token where the settings have any origin, as they do by default', async () => {
    const asked = await preflight(foreign, 'PUT', '/api/settings/security');
    expect(asked).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, PUT',
        'access-control-allow-headers': expect.stringContaining('Authorization, Content-Type'),
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    });
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await preflight('null', 'DELETE', '/api/sites/site_1')).headers).toMatchObject({
      'access-control-allow-origin': '*',
    });
    for (const origin of [foreign, 'null', '*']) {
      expect(await readerOf(origin, 'GET', '/api/sites')).toBe('*');
    }
    const refused = await ask('GET', '/api/sites', { origin: foreign });
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': '*' } });
  });

  it('neither signs in nor reads what needs no token, nor opens streams, unless it is named', async () => {
    for (const [method, path, body] of withoutToken) {
      const { headers } = await preflight(foreign, method, path);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('access-control-allow-methods');
      expect(await readerOf(foreign, method, path, body)).toBeUndefined();
    }
    // Without the preflight only such a body can be sent, which no call reads as JSON.
    const simple = { origin: foreign, 'content-type': 'text/plain' };
    expect((await ask('POST', '/api/auth/login', simple, { email: adminEmail })).status).toBe(415);
    for (const path of ['/logs/stream', '/api/logs/stream', '/api/metrics/system/stream']) {
      expect(await readerOf(foreign, 'GET', `${path}?token=${await ticket()}`)).toBeUndefined();
    }
    await allow({ allowedOrigins: ['*', named] });
    for (const [method, path, body] of withoutToken) {
      expect((await preflight(named, method, path)).headers['access-control-allow-origin']).toBe(named);
      expect(await readerOf(named, method, path, body)).toBe(named);
      expect(await readerOf(foreign, method, path, body)).toBeUndefined();
    }
    for (const path of ['/logs/stream', '/api/logs/stream', '/api/metrics/system/stream']) {
      expect(await readerOf(named, 'GET', `${path}?token=${await ticket()}`)).toBe(named);
    }
  });

  it('is let into a private network only where it is named', async () => {
    await allow({ allowedOrigins: ['*', named] });
    const local = { 'access-control-request-private-network': 'true' };
    const header = 'access-control-allow-private-network';
    expect((await preflight(foreign, 'GET', '/api/sites', local)).headers).not.toHaveProperty(header);
    expect((await preflight(named, 'GET', '/api/sites')).headers).not.toHaveProperty(header);
    expect((await preflight(named, 'GET', '/api/sites', local)).headers[header]).toBe('true');
  });

  it('gets nothing that the list does not name, nothing when CORS is off, and nothing of other paths', async () => {
    await allow({ allowedOrigins: [named] });
    expect((await preflight(foreign, 'GET', '/api/sites')).headers).toEqual(
      expect.not.objectContaining({ 'access-control-allow-origin': expect.anything() }),
    );
    expect(await readerOf(foreign, 'GET', '/api/sites')).toBeUndefined();
    expect(await readerOf(`${named}:8443`, 'GET', '/api/sites')).toBeUndefined();
    expect(await readerOf(named, 'GET', '/api/sites')).toBe(named);
    const other = await preflight(named, 'PATCH', '/api/sites');
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
    for (const path of ['/healthz', '/metrics', '/api/nowhere']) {
      const { headers } = await ask('GET', path, { origin: named, ...bearer() });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    await allow({ corsEnabled: false, allowedOrigins: ['*', named] });
    expect(await readerOf(named, 'GET', '/api/sites')).toBeUndefined();
    expect((await preflight(named, 'GET', '/api/sites')).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    await allow({ corsEnabled: true });
  });
});
