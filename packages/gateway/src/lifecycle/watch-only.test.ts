import { describe, expect, test } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

const client = '203.0.113.7';
const security = { trustedProxies: ['127.0.0.1'] };
const headers = { 'X-Forwarded-For': client, Accept: 'application/json' };
const sql = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
const empty = { enabled: true, capacity: 1, window: 3600, refill_interval: 3600 };
const ofPath = (path: string, action: 'block' | 'redirect' | 'challenge') => ({
  id: `rule-${action}`,
  name: `No ${path}`,
  siteId: 'shop',
  action,
  ...(action === 'redirect' && { redirectTo: 'https://elsewhere.example/' }),
  conditions: { rules: [{ field: 'path' as const, operator: 'starts_with' as const, value: path }] },
});

describe('a site that is only watched', () => {
  test.each([
    ['an attack', {}, sql, 'block', 'SQL injection would have been blocked in query parameter id'],
    ['a rule that blocks', { rules: [ofPath('/', 'block')] }, '/', 'block', 'Would have been blocked: No /'],
    [
      'a rule that redirects',
      { rules: [ofPath('/', 'redirect')] },
      '/',
      'redirect',
      'Would have been redirected',
    ],
    [
      'a rule that challenges',
      { rules: [ofPath('/', 'challenge')] },
      '/',
      'challenge',
      'Would have been challenged',
    ],
    [
      'bot protection',
      { bot_protection: { enabled: true } },
      '/',
      'challenge',
      'Would have been challenged: bot',
    ],
    [
      'the level under attack',
      { security_level: 'under_attack' as const },
      '/',
      'challenge',
      'Would have been challenged',
    ],
  ])('lets %s pass and tells what it would have done', async (_what, site, path, would, message) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security,
      sites: [{ id: 'shop', watch_only: true, backend_url: upstream.url, ...site }],
    });
    const answer = await ask(gateway.port, path, { headers });
    expect(answer.status).toBe(200);
    const event = await gateway.sink.event((one) => one.would !== undefined);
    expect(event).toMatchObject({ decision: 'log', level: 'info', would, status: 200 });
    expect(event.message).toContain(message);
  });

  test('lets what exceeds its rate limit pass, and says nothing of limits', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security,
      sites: [{ watch_only: true, backend_url: upstream.url, rate_limit: empty }],
    });
    await ask(gateway.port, '/', { headers });
    const beyond = await ask(gateway.port, '/', { headers });
    expect(beyond.status).toBe(200);
    expect(beyond.headers).not.toHaveProperty('ratelimit');
    const event = await gateway.sink.event((one) => one.kind === 'rate_limit');
    expect(event).toMatchObject({
      decision: 'log',
      would: 'block',
      message: 'Would have been blocked: the rate limit is used up',
    });
  });

  test('lets what cannot be inspected pass, whatever its modes say', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ watch_only: true, backend_url: upstream.url }],
    });
    const answer = await ask(gateway.port, '/', {
      method: 'POST',
      headers: { 'Content-Encoding': 'xpress', 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'engine');
    expect(event).toMatchObject({ decision: 'log', would: 'block', ruleId: 'compression' });
  });

  test.each([
    ['shows too much', {}, 'response_leak', 'Would have been withheld'],
    ['cannot be read', { 'Content-Encoding': 'xpress' }, 'engine', 'The answer is coded'],
  ])('withholds no answer that %s', async (_what, coding, kind, message) => {
    const leak = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2)}\n-----END PRIVATE KEY-----`;
    await using upstream = await startUpstream((_incoming, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', ...coding });
      response.end(leak);
    });
    await using gateway = await startGateway({
      sites: [{ watch_only: true, backend_url: upstream.url, response_inspection: { mode: 'block' } }],
    });
    const answer = await ask(gateway.port, '/');
    expect([answer.status, answer.body]).toEqual([200, leak]);
    const event = await gateway.sink.event((one) => one.kind === kind);
    expect(event).toMatchObject({ decision: 'log', would: 'block', status: 200 });
    expect(event.message).toContain(message);
  });

  test('bans nobody, and lets who is banned elsewhere pass', async () => {
    await using upstream = await startUpstream();
    const site = { backend_url: upstream.url };
    await using gateway = await startGateway({
      security: { ...security, blockSuspiciousIPs: true, banAfterBlocks: 2 },
      sites: [
        { ...site, domains: ['watched.test'], watch_only: true },
        { ...site, domains: ['strict.test'] },
      ],
    });
    const statusOf = async (host: string, path: string) =>
      (await ask(gateway.port, path, { headers: { ...headers, Host: host } })).status;
    for (let sent = 0; sent < 4; sent++) expect(await statusOf('watched.test', sql)).toBe(200);
    expect(await statusOf('strict.test', '/')).toBe(200);
    for (let sent = 0; sent < 2; sent++) expect(await statusOf('strict.test', sql)).toBe(403);
    expect(await statusOf('strict.test', '/')).toBe(403);
    expect(await statusOf('watched.test', '/')).toBe(200);
    const event = await gateway.sink.event((one) => one.would !== undefined && one.ruleId === 'ban');
    expect(event.message).toMatch(/^Would have been blocked: the address is banned/);
  });

  test('refuses blocked addresses and what is no request', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security,
      addressLists: [{ id: 'list', name: 'Bad', action: 'block', entries: [client] }],
      sites: [{ watch_only: true, backend_url: upstream.url }],
    });
    expect((await ask(gateway.port, '/', { headers })).status).toBe(403);
    expect((await ask(gateway.port, '/', { method: 'TRACE' })).status).toBe(405);
  });

  test('enforces again what it was set to', async () => {
    await using upstream = await startUpstream();
    const site = { id: 'shop', backend_url: upstream.url };
    await using gateway = await startGateway({ sites: [{ ...site, watch_only: true }] });
    expect((await ask(gateway.port, sql)).status).toBe(200);
    gateway.configure({ sites: [site] });
    await expect.poll(async () => (await ask(gateway.port, sql)).status).toBe(403);
  });
});
