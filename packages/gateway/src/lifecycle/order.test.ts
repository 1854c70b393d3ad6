import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { ask, exchangesDownTo, startGateway, startUpstream } from '../testing/index.ts';

/** Every check that a request can fall under, switched on at once; each case takes away the ones before it. */
const sql = `/admin?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
const rule = {
  id: 'rule-1',
  name: 'No admin',
  siteId: 'shop',
  conditions: { rules: [{ field: 'path' as const, operator: 'starts_with' as const, value: '/admin' }] },
};
/** Severer than the rule before, so that it decides first where both are there. */
const allowing = {
  ...rule,
  id: 'rule-2',
  name: 'Let in',
  action: 'allow' as const,
  severity: 'high' as const,
};
const list = (action: 'allow' | 'block', address: string) => ({
  id: action,
  name: action,
  action,
  entries: [address],
});
const client = '203.0.113.7';
const security = { trustedProxies: ['127.0.0.1'] };
const empty = { enabled: true, capacity: 1, window: 3600, refill_interval: 3600 };

interface Checks {
  readonly maintenance?: boolean;
  readonly allowed?: boolean;
  readonly blocked?: boolean;
  readonly limited?: boolean;
  readonly allows?: boolean;
  readonly rules?: boolean;
  readonly challenged?: boolean;
}

/** What answers first, in the documented order. */
const order: [first: string, checks: Checks, status: number, code: string][] = [
  [
    'maintenance',
    {
      ...{ maintenance: true, allowed: true, blocked: true, limited: true, allows: true },
      ...{ rules: true, challenged: true },
    },
    503,
    'maintenance',
  ],
  [
    'an allow-listed address',
    { allowed: true, blocked: true, limited: true, allows: true, rules: true, challenged: true },
    200,
    '',
  ],
  [
    'a blocked address',
    { blocked: true, limited: true, allows: true, rules: true, challenged: true },
    403,
    'address_blocked',
  ],
  ['the rate limit', { limited: true, allows: true, rules: true, challenged: true }, 429, 'rate_limited'],
  ['a custom rule that allows', { allows: true, rules: true, challenged: true }, 200, ''],
  ['a custom rule', { rules: true, challenged: true }, 403, 'request_blocked'],
  ['the bot challenge', { challenged: true }, 403, 'challenge_required'],
  ['a protection category', {}, 403, 'request_blocked'],
];

describe('the order of decision', () => {
  test.each(order)('%s decides before all that follows', async (_first, checks, status, code) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      general: { maintenanceMode: checks.maintenance ?? false },
      security,
      addressLists: [
        ...(checks.allowed ? [list('allow', client)] : []),
        ...(checks.blocked ? [list('block', '203.0.113.0/24')] : []),
      ],
      sites: [
        {
          id: 'shop',
          backend_url: upstream.url,
          rate_limit: checks.limited ? empty : { enabled: false },
          rules: [...(checks.allows ? [allowing] : []), ...(checks.rules ? [rule] : [])],
          bot_protection: { enabled: checks.challenged ?? false },
        },
      ],
    });
    const send = (path: string) =>
      ask(gateway.port, path, { headers: { 'X-Forwarded-For': client, Accept: 'application/json' } });
    if (checks.limited) await send('/');
    const answer = await send(sql);
    expect(answer.status).toBe(status);
    if (code !== '') expect(JSON.parse(answer.body)).toMatchObject({ code });
    expect(upstream.requests.some((one) => one.url === sql)).toBe(status === 200);
  });

  test('every case of the table ran', () => expect(order).toHaveLength(8));
});

describe('an address that is on a list for a while', () => {
  test('is let in at its end by a gateway that hears of nobody', async () => {
    await using upstream = await startUpstream();
    const end = Date.now() + 1500;
    const expires_at = new Date(end).toISOString();
    await using gateway = await startGateway({
      security,
      addressLists: [
        { ...list('block', '203.0.113.8'), temporary: [{ entry: '203.0.113.0/29', expires_at }] },
      ],
      sites: [{ backend_url: upstream.url }],
    });
    const from = async (address: string) =>
      (await ask(gateway.port, '/', { headers: { 'X-Forwarded-For': address } })).status;
    expect([await from(client), await from('203.0.113.8'), await from('203.0.113.9')]).toEqual([
      403, 403, 200,
    ]);
    const event = await gateway.sink.event((one) => one.clientIp === client);
    expect(event).toMatchObject({ kind: 'address_list', ruleId: 'block', decision: 'block' });
    await vi.waitFor(async () => expect(await from(client)).toBe(200), { timeout: 10_000, interval: 20 });
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    expect(await from('203.0.113.8')).toBe(403);
  });
});

describe('a custom rule that allows', () => {
  test('passes later rules, challenges and categories, also in what follows of a long body, and is told of', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        { id: 'shop', backend_url: upstream.url, security_level: 'under_attack', rules: [allowing, rule] },
      ],
    });
    const body = `note=${'a+quiet+river+'.repeat(20_000)}&id=${encodeURIComponent("1' UNION SELECT a FROM b--")}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await ask(gateway.port, sql, { method: 'POST', headers, body })).status).toBe(200);
    const event = await gateway.sink.event((one) => one.ruleId === 'rule-2');
    expect(event).toMatchObject({ kind: 'custom_rule', decision: 'allow', level: 'info', status: 200 });
    expect(event.message).toBe('Allowed: Let in in path');
    expect(gateway.sink.events).toHaveLength(1);
    expect((await ask(gateway.port, '/')).status).toBe(403);
    const counted = await gateway.sink.until(() => {
      const sum = (of: 'requests' | 'blocked') =>
        gateway.sink.counters.reduce((all, one) => all + (one.siteId === 'shop' ? one[of] : 0), 0);
      return sum('requests') === 2 ? sum('blocked') : undefined;
    });
    expect(counted).toBe(0);
  });

  test('tells of nothing where it does not log, but of rules before it that do', async () => {
    await using upstream = await startUpstream();
    const noticing = {
      ...rule,
      ...{ id: 'rule-3', name: 'Seen', action: 'log' as const, severity: 'critical' as const },
      conditions: { rules: [{ field: 'path' as const, operator: 'equals' as const, value: '/admin/seen' }] },
    };
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, rules: [noticing, { ...allowing, logs: false }] }],
    });
    expect((await ask(gateway.port, sql)).status).toBe(200);
    expect((await ask(gateway.port, '/admin/seen')).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'custom_rule');
    expect(event).toMatchObject({ ruleId: 'rule-3', decision: 'log', message: 'Noticed: Seen in path' });
    expect(event.matches.map(({ ruleId }) => ruleId)).toEqual(['rule-3']);
    expect(gateway.sink.events).toHaveLength(1);
  });

  test('lets in nobody who is banned', async () => {
    await using upstream = await startUpstream();
    const condition = { field: 'path', operator: 'equals', value: '/open' } as const;
    const open = { ...allowing, conditions: { rules: [condition] } };
    await using gateway = await startGateway({
      security: { ...security, banAfterBlocks: 2 },
      sites: [{ backend_url: upstream.url, rules: [open, rule] }],
    });
    const status = async (path: string) =>
      (await ask(gateway.port, path, { headers: { 'X-Forwarded-For': client } })).status;
    expect(await status('/open')).toBe(200);
    for (let i = 0; i < 3; i++) await status(sql);
    expect(await status('/open')).toBe(403);
  });
});

describe('limits', () => {
  test('tell how much is left, answer 429 beyond it, and let static files by', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, rate_limit: { ...empty, capacity: 2 } }],
    });
    const first = await ask(gateway.port, '/');
    expect(first.headers.ratelimit).toMatch(/r=1/);
    await ask(gateway.port, '/');
    const third = await ask(gateway.port, '/');
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(gateway.port, '/app.css')).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'rate_limit');
    expect(event).toMatchObject({ decision: 'block', category: 'rate_limiting', status: 429 });
  });

  test('hold for who leaves before the answer', async () => {
    const asked = Promise.withResolvers<void>();
    await using upstream = await startUpstream((incoming, response) => {
      if (incoming.url === '/slow.css') asked.resolve();
      else response.setHeader('Content-Type', 'text/css').end();
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, rate_limit: empty }],
    });
    const leaving = connect(gateway.port, '127.0.0.1');
    leaving.write('GET /slow.css HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await asked.promise;
    leaving.destroy();
    await exchangesDownTo(0);
    // As often as the limit allows: files are charged for from now on.
    expect((await ask(gateway.port, '/a.css')).status).toBe(200);
    expect((await ask(gateway.port, '/a.css')).status).toBe(429);
  });

  test('hold for who names something else like a static file', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      response.setHeader('Content-Type', incoming.url === '/app.css' ? 'text/css' : 'application/json');
      response.end('{}');
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, rate_limit: { ...empty, capacity: 2 } }],
    });
    const statuses = async (path: string, times: number) => {
      const all = [];
      for (let at = 0; at < times; at++) all.push((await ask(gateway.port, path)).status);
      return all;
    };
    expect(await statuses('/app.css', 4)).toEqual([200, 200, 200, 200]);
    expect(await statuses('/api/users.css', 6)).toEqual([200, 200, 200, 200, 429, 429]);
  });

  test('a client may have only so many requests under way', async () => {
    const held: (() => void)[] = [];
    const reached = Promise.withResolvers<void>();
    await using upstream = await startUpstream((_request, response) => {
      held.push(() => response.end());
      if (held.length === 2) reached.resolve();
    });
    await using gateway = await startGateway({
      security: { maxConcurrentPerClient: 2 },
      sites: [{ backend_url: upstream.url }],
    });
    const open = [ask(gateway.port, '/'), ask(gateway.port, '/')];
    await reached.promise;
    expect((await ask(gateway.port, '/')).status).toBe(429);
    for (const release of held) release();
    await Promise.all(open);
  });

  test('repeated blocks ban a client for a while, and never this machine', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { ...security, banAfterBlocks: 2 },
      sites: [{ backend_url: upstream.url }],
    });
    const from = (address: string, path: string) =>
      ask(gateway.port, path, { headers: { 'X-Forwarded-For': address, Accept: 'application/json' } });
    for (let i = 0; i < 3; i++) await from(client, sql);
    expect(JSON.parse((await from(client, '/')).body)).toMatchObject({ code: 'address_blocked' });
    expect((await from('203.0.113.8', '/')).status).toBe(200);
    for (let i = 0; i < 3; i++) await ask(gateway.port, sql);
    expect((await ask(gateway.port, '/')).status).toBe(200);
    expect(await gateway.sink.event((one) => one.ruleId === 'ban')).toMatchObject({ kind: 'address_list' });
  });

  test('a ban says why and until when, is told to the service, and ends by a lift', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { ...security, banAfterBlocks: 2, banDuration: 600 },
      sites: [{ backend_url: upstream.url }],
    });
    const from = async (address: string, path: string) =>
      (await ask(gateway.port, path, { headers: { 'X-Forwarded-For': address } })).status;
    for (const address of ['203.0.113.7', '2001:db8:1:2::7']) {
      for (let i = 0; i < 2; i++) await from(address, sql);
      expect(await from(address, '/')).toBe(403);
    }
    const told = () => [...gateway.sink.batches.values()].flatMap(({ bans = [] }) => bans);
    await gateway.sink.until(() => told().length === 2);
    const [first, second] = told();
    expect(first).toMatchObject({ address: '203.0.113.7', clientIp: '203.0.113.7' });
    expect(second).toMatchObject({ address: '2001:db8:1:2::/64', clientIp: '2001:db8:1:2::7' });
    expect((first?.until ?? 0) - (first?.since ?? 0)).toBe(600_000);
    expect(first?.reason).toMatch(/^2 blocked requests within 60 s, the last one: .*SQL/);
    const { message } = await gateway.sink.event((one) => one.ruleId === 'ban' && one.level === 'error');
    expect(message).toMatch(
      /^203\.0\.113\.7 is banned until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(10 min\) after 2 /,
    );
    const lifted = told().map(({ id, address }) => ({ id, address }));
    gateway.source.send({ type: 'bans', began: [], lifted: [{ id: 'another', address: '203.0.113.7' }] });
    expect(await from('203.0.113.7', '/')).toBe(403);
    gateway.source.send({ type: 'bans', began: [], lifted });
    expect(await from('203.0.113.7', '/')).toBe(200);
    expect(await from('2001:db8:1:2:9::1', '/')).toBe(200);
    // Its blocks count from none again.
    await from('203.0.113.7', sql);
    expect(await from('203.0.113.7', '/')).toBe(200);
  });

  test('a ban that began elsewhere holds here, and all end where nobody is to be banned', async () => {
    await using upstream = await startUpstream();
    const sites = [{ backend_url: upstream.url }];
    await using gateway = await startGateway({ security, sites });
    const from = async (address: string) =>
      (await ask(gateway.port, '/', { headers: { 'X-Forwarded-For': address } })).status;
    const began = [
      { id: 'a', address: '203.0.113.7', forMs: 600_000 },
      { id: 'b', address: '2001:db8:1:2::/64', forMs: 600_000 },
    ];
    gateway.source.send({ type: 'bans', began, lifted: [] });
    expect(await from('203.0.113.7')).toBe(403);
    expect(await from('2001:db8:1:2::99')).toBe(403);
    expect(await from('203.0.113.8')).toBe(200);
    gateway.configure({ security: { ...security, blockSuspiciousIPs: false }, sites });
    gateway.source.send({ type: 'bans', began, lifted: [] });
    expect(await from('203.0.113.7')).toBe(200);
    gateway.configure({ security, sites });
    expect(await from('203.0.113.7')).toBe(200);
  });

  test('a peer that forwards for several clients and is not trusted is told to the operator, until it is', async () => {
    await using upstream = await startUpstream();
    const sites = [{ backend_url: upstream.url }];
    await using gateway = await startGateway({ sites });
    const forward = async (address: string) =>
      void (await ask(gateway.port, '/', { headers: { 'X-Forwarded-For': `<script>, ${address}` } }));
    const told = (from: number) =>
      gateway.sink.reports.slice(from).flatMap(({ problems = [] }) => problems.map(String));
    for (let visit = 0; visit < 60; visit++) await forward('203.0.113.7');
    await gateway.sink.until(() => gateway.sink.reports.length > 1);
    expect(told(0)).toEqual([]);
    for (let visit = 0; visit < 5; visit++) await forward(`203.0.113.${visit}`);
    const [problem] = await gateway.sink.until(() => (told(0).length > 0 ? told(0) : undefined));
    expect(problem).toMatch(/^127\.0\.0\.1 sends requests with X-Forwarded-For for several clients/);
    expect(problem).not.toMatch(/203|script/);
    gateway.configure({ security, sites });
    const before = gateway.sink.reports.length + 1;
    await forward('203.0.113.9');
    await gateway.sink.until(() => gateway.sink.reports.length > before);
    expect(told(before)).toEqual([]);
  });

  test('nobody is banned who works in the console from there, or is on an allow list', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      security: { ...security, banAfterBlocks: 2 },
      addressLists: [list('allow', '203.0.113.20')],
      sites: [{ backend_url: upstream.url }],
    });
    const from = async (address: string, path: string) => {
      const headers = { 'X-Forwarded-For': address, Accept: 'application/json' };
      return (await ask(gateway.port, path, { headers })).status;
    };
    gateway.source.send({ type: 'operators', addresses: ['203.0.113.30', '2001:db8:1:2::5'] });
    for (const address of ['203.0.113.20', '203.0.113.30', '2001:db8:1:2:ffff::9']) {
      for (let i = 0; i < 3; i++) await from(address, sql);
      expect(await from(address, '/')).toBe(200);
    }
    for (let i = 0; i < 3; i++) await from(client, sql);
    expect(await from(client, '/')).toBe(403);
    // Whoever signs in from a banned address gets through at once.
    gateway.source.send({ type: 'operators', addresses: [client] });
    expect(await from(client, '/')).toBe(200);
    gateway.source.send({ type: 'operators', addresses: [] });
    expect(await from(client, '/')).toBe(403);
  });
});
