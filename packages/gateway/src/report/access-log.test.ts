import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ask, type StartedGateway, speak, startGateway, startUpstream } from '../testing/index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const folderOf = ({ dataDir }: StartedGateway) => path.join(dataDir, 'gateway', 'access');

/** The lines once there are so many. */
async function lines(folder: string, name: string, count: number): Promise<string[]> {
  const read = () => readFileSync(path.join(folder, name), 'latin1').split('\n').slice(0, -1);
  await vi.waitFor(() => expect(read().length).toBeGreaterThanOrEqual(count), { timeout: 5000 });
  return read();
}

describe('the access log of a site', () => {
  test('is off unless asked for', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    await ask(gateway.port, '/');
    await gateway.gateway.stop();
    expect(readdirSync(path.join(gateway.dataDir, 'gateway'))).not.toContain('access');
  });

  test('has one line of JSON for each exchange, with its decision and upstream, and no secret', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    await using gateway = await startGateway({
      sites: [{ id: 'shop', backend_url: upstream.url, access_log: { format: 'json' } }],
    });
    const headers = { 'User-Agent': 'curl/8', Referer: 'https://example.com/?token=abc' };
    await ask(gateway.port, '/cart?password=hunter2&n=1', { method: 'POST', headers, body: 'a=b' });
    const blocked = await ask(gateway.port, "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--");
    const [first, second] = (await lines(folderOf(gateway), 'json.log', 2)).map((line) => JSON.parse(line));
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      siteId: 'shop',
      clientIp: '127.0.0.1',
      scheme: 'http',
      host: '127.0.0.1',
      method: 'POST',
      path: '/cart?password=***&n=1',
      protocol: 'HTTP/1.1',
      status: 200,
      bytesIn: 3,
      bytesOut: 4,
      durationMs: expect.any(Number),
      upstream: upstream.url,
      upstreamMs: expect.any(Number),
      decision: 'pass',
      userAgent: 'curl/8',
      referer: 'https://example.com/?token=***',
    });
    expect(first.upstreamMs).toBeLessThanOrEqual(first.durationMs);
    expect(second).toMatchObject({ status: 403, decision: 'block', ruleId: expect.stringMatching(/\w/) });
    expect(second).not.toHaveProperty('upstream');
    expect(blocked.body).toContain(second.requestId);
  });

  test('names the rule that let a request pass with a finding', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    await using gateway = await startGateway({
      sites: [
        {
          backend_url: upstream.url,
          access_log: { format: 'json' },
          protection_config: { sql_injection: { mode: 'log' } },
        },
      ],
    });
    await ask(gateway.port, "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--");
    const [line = ''] = await lines(folderOf(gateway), 'json.log', 1);
    expect(JSON.parse(line)).toMatchObject({ status: 200, decision: 'pass', ruleId: expect.any(String) });
  });

  test('calls blocked what was refused for what the client did, and nothing else', async () => {
    await using upstream = await startUpstream((_, response) => {
      response.setHeader('Content-Encoding', 'xpress');
      response.end('fine');
    });
    const site = { backend_url: upstream.url, access_log: { format: 'json' as const } };
    await using gateway = await startGateway({
      sites: [
        { ...site, domains: ['resting.test'], maintenance: true },
        { ...site, domains: ['open.test'], response_inspection: { mode: 'block' } },
      ],
    });
    const unreadable = { 'Content-Encoding': 'xpress', 'Content-Type': 'application/json' };
    const open = { Host: 'open.test' };
    await ask(gateway.port, '/', { headers: { Host: 'resting.test' } });
    await ask(gateway.port, '/', { method: 'POST', headers: { ...open, ...unreadable }, body: '{}' });
    await ask(gateway.port, '/', { headers: open });
    await ask(gateway.port, "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--", { headers: open });
    const told = (await lines(folderOf(gateway), 'json.log', 4)).map((line) => JSON.parse(line));
    expect(told.map(({ status, decision }) => [status, decision])).toEqual([
      [503, 'pass'],
      [403, 'pass'],
      [502, 'pass'],
      [403, 'block'],
    ]);
  });

  test('can be in the form of nginx and Apache', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, access_log: { format: 'combined' } }],
    });
    await ask(gateway.port, '/a?token=1', { headers: { 'User-Agent': 'Mozilla/5.0 (X11)' } });
    const [line] = await lines(folderOf(gateway), 'combined.log', 1);
    expect(line).toMatch(
      /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/a\?token=\*\*\* HTTP\/1\.1" 200 4 "-" "Mozilla\/5\.0 \(X11\)"$/,
    );
  });

  test.each(['json', 'combined'] as const)(
    'has nothing in it that a client could forge a line or colour a terminal with: %s',
    async (format) => {
      await using upstream = await startUpstream((_, response) => response.end('fine'));
      await using gateway = await startGateway({
        sites: [{ backend_url: upstream.url, access_log: { format }, security_level: 'off' }],
      });
      const hostile = 'a"b\\c\t\x9b31m\x85\xe2\x80\xae", "status": 200, "x": "';
      const head = [`User-Agent: ${hostile}`, `Referer: ${hostile}`, 'Host: x', 'Connection: close'];
      await speak(gateway.port, `GET /"x\\x85\x9b HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
      await ask(gateway.port, '/after');
      const read = await lines(folderOf(gateway), `${format}.log`, 1);
      const text = read.join('');
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      for (const line of read)
        if (format === 'json') expect(Object.keys(JSON.parse(line))).not.toContain('x');
        else expect(line.match(/(?<!\\)"/g)).toHaveLength(6);
    },
  );

  test('costs no request anything while the disk is full, says so, and goes on once there is room', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-access-'));
    folders.push(dataDir);
    const folder = path.join(dataDir, 'gateway', 'access');
    mkdirSync(folder, { recursive: true });
    symlinkSync('/dev/full', path.join(folder, 'json.log'));
    const input = { sites: [{ backend_url: upstream.url, access_log: { format: 'json' as const } }] };
    await using gateway = await startGateway(input, { dataDir });
    for (let i = 0; i < 20; i++) expect((await ask(gateway.port, '/')).status).toBe(200);
    await vi.waitFor(
      () => expect(gateway.sink.reports.at(-1)?.problems).toEqual([expect.stringContaining('ENOSPC')]),
      { timeout: 5000 },
    );
    expect(gateway.logged.filter((line) => line.includes('access log cannot be written'))).toHaveLength(1);
    rmSync(path.join(folder, 'json.log'));
    expect(await lines(folder, 'json.log', 20)).toHaveLength(20);
    await vi.waitFor(() => expect(gateway.sink.reports.at(-1)?.problems ?? []).toEqual([]), {
      timeout: 5000,
    });
  });

  test('tells how many lines were lost where events are read', async () => {
    await using upstream = await startUpstream((_, response) => response.end('fine'));
    const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-access-'));
    folders.push(dataDir);
    const folder = path.join(dataDir, 'gateway', 'access');
    mkdirSync(folder, { recursive: true });
    symlinkSync('/dev/full', path.join(folder, 'combined.log'));
    const input = { sites: [{ backend_url: upstream.url, access_log: { format: 'combined' as const } }] };
    await using gateway = await startGateway(input, { dataDir });
    for (let i = 0; i < 3; i++) await ask(gateway.port, '/');
    await gateway.gateway.stop();
    const told = gateway.sink.events.map(({ message }) => message);
    expect(told).toEqual([expect.stringMatching(/^3 lines of the access log were lost/)]);
  });
});
