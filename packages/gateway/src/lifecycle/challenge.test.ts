import { describe, expect, test } from 'vitest';
import { searchNonce } from '../challenge/solver.ts';
import { ask, type StartedGateway, startGateway, startUpstream } from '../testing/index.ts';

const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', Accept: 'text/html' };
const asked = { bot_protection: { enabled: true, difficulty: 'low' as const } };

const dataOf = (body: string, name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(body)?.[1] ?? '';

/** What a browser does with the page. */
function solve(body: string): string {
  const bits = Number(dataOf(body, 'bits'));
  const nonces = Array.from({ length: Number(dataOf(body, 'pieces')) }, (_, piece) =>
    searchNonce(`${dataOf(body, 'salt')}.${piece}.`, bits, 0, 2 ** 31),
  );
  return new URLSearchParams({ token: dataOf(body, 'token'), nonces: nonces.join(',') }).toString();
}

async function pass(gateway: StartedGateway, headers: Record<string, string>, path = '/'): Promise<string> {
  const page = await ask(gateway.port, path, { headers });
  expect(page.status).toBe(403);
  const answer = await ask(gateway.port, dataOf(page.body, 'endpoint'), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: solve(page.body),
  });
  expect(answer.status).toBe(200);
  return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

describe('a challenge', () => {
  test('once solved, lets its visitor through, and nobody else with the same cookie', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ id: 'shop', backend_url: upstream.url, ...asked }],
    });
    const cookie = await pass(gateway, browser);
    expect(upstream.requests).toEqual([]);
    expect((await ask(gateway.port, '/', { headers: { ...browser, Cookie: cookie } })).body).toBe('hello');
    const other = { ...browser, 'User-Agent': 'Mozilla/5.0 (other)', Cookie: cookie };
    expect((await ask(gateway.port, '/', { headers: other })).status).toBe(403);
    const event = await gateway.sink.event((one) => one.kind === 'challenge');
    expect(event).toMatchObject({ siteId: 'shop', decision: 'challenge', status: 403 });
    const challenged = () => gateway.sink.counters.reduce((sum, one) => sum + one.challenged, 0);
    await gateway.sink.until(() => challenged() === 2);
  });

  test('a pass outlives a reload and is still inspected', async () => {
    await using upstream = await startUpstream();
    const sites = [{ id: 'shop', backend_url: upstream.url, ...asked }];
    await using gateway = await startGateway({ sites });
    const headers = { ...browser, Cookie: await pass(gateway, browser) };
    gateway.configure({ sites });
    expect((await ask(gateway.port, '/', { headers })).status).toBe(200);
    const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    expect((await ask(gateway.port, attack, { headers })).status).toBe(403);
  });

  test('programs get a reason that they can read', async () => {
    await using gateway = await startGateway({ sites: [asked] });
    const answer = await ask(gateway.port, '/', { headers: { Accept: 'application/json' } });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'challenge_required', challenge: 'js' });
  });

  test('under attack, every browser without a pass is asked', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [
        { backend_url: upstream.url, security_level: 'under_attack', bot_protection: { difficulty: 'low' } },
      ],
    });
    const headers = { ...browser, Cookie: await pass(gateway, browser) };
    expect((await ask(gateway.port, '/', { headers })).status).toBe(200);
  });

  test('that a used-up limit asks for can be answered', async () => {
    await using upstream = await startUpstream();
    const rate_limiting = { enabled: true, mode: 'challenge' as const, sensitivity: 'high' as const };
    await using gateway = await startGateway({
      security: { requestsPerMinute: 10 },
      sites: [
        {
          backend_url: upstream.url,
          protection_config: { rate_limiting },
          bot_protection: { difficulty: 'low' },
        },
      ],
    });
    const ordinary = { headers: browser };
    while ((await ask(gateway.port, '/', ordinary)).status === 200);
    const reached = upstream.requests.length;
    const headers = { ...browser, Cookie: await pass(gateway, browser) };
    expect(upstream.requests).toHaveLength(reached);
    expect((await ask(gateway.port, '/', ordinary)).status).toBe(403);
    expect((await ask(gateway.port, '/', { headers })).status).toBe(200);
  });

  test('a category in mode challenge asks whom it catches, and whoever proves itself goes on', async () => {
    await using upstream = await startUpstream();
    const protection_config = { sql_injection: { enabled: true, mode: 'challenge' as const } };
    const bot_protection = { difficulty: 'low' as const };
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, protection_config, bot_protection }],
    });
    const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
    const headers = { ...browser, Cookie: await pass(gateway, browser, attack) };
    expect(upstream.requests).toEqual([]);
    expect((await ask(gateway.port, attack, { headers })).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'detection' && one.decision === 'log');
    expect(event).toMatchObject({ category: 'sql_injection', status: 200 });
    expect((await ask(gateway.port, '/', { headers: browser })).status).toBe(200);
  });
});
