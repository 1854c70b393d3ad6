import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, speak, startGateway, startUpstream } from '../testing/index.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };
const sql = "1' UNION SELECT password FROM users--";
const quoted = encodeURIComponent(sql);

interface Attack {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const attacks: [name: string, category: string, attack: Attack][] = [
  ['SQL in the query', 'sql_injection', { path: `/?id=${quoted}` }],
  ['SQL in a form', 'sql_injection', { path: '/', method: 'POST', headers: form, body: `id=${quoted}` }],
  [
    'SQL in JSON',
    'sql_injection',
    { path: '/', method: 'POST', headers: json, body: JSON.stringify({ id: sql }) },
  ],
  ['SQL in a cookie', 'sql_injection', { path: '/', headers: { Cookie: `id=${sql}` } }],
  ['script in the query', 'xss', { path: `/?q=${encodeURIComponent('<script>alert(1)</script>')}` }],
  ['traversal in the query', 'path_traversal', { path: '/?file=../../../../etc/passwd' }],
  [
    'a command in the query',
    'command_injection',
    { path: `/?host=${encodeURIComponent('; cat /etc/passwd')}` },
  ],
];

describe('inspection', () => {
  test.each(attacks)(
    '%s is refused with a reference and never forwarded',
    async (_name, category, attack) => {
      await using upstream = await startUpstream();
      await using gateway = await startGateway({ sites: [{ id: 'shop', backend_url: upstream.url }] });
      const { path, ...options } = attack;
      const answer = await ask(gateway.port, path, {
        ...options,
        headers: { Accept: 'application/json', ...options.headers },
      });
      expect(answer.status).toBe(403);
      expect(upstream.requests).toEqual([]);
      const { requestId, message } = JSON.parse(answer.body);
      expect(message).not.toMatch(/sql|script|passwd|union/i);
      const event = await gateway.sink.event((one) => one.requestId === requestId);
      expect(event).toMatchObject({
        kind: 'detection',
        decision: 'block',
        category,
        siteId: 'shop',
        status: 403,
      });
      const [match] = event.matches;
      expect(match?.value.slice(...match.span).length).toBeGreaterThan(0);
      expect(event.message).toMatch(/^[A-Z][\w -]+ blocked in [\w -]+: \S/);
    },
  );

  test.each([
    ['ordinary text', '/search?q=the+union+of+workers+select+a+chair'],
    ['a name with a quote', "/?name=O'Brien"],
    ['an ordinary path', '/assets/app.3f2a.js?v=1.2.3'],
  ])('%s passes', async (_name, path) => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    expect((await ask(gateway.port, path)).status).toBe(200);
  });

  test('a cookie is masked around what matched', async () => {
    await using gateway = await startGateway({ sites: [{}] });
    await ask(gateway.port, '/', { headers: { Cookie: `session=topsecretvalue ${sql}` } });
    const event = await gateway.sink.event((one) => one.decision === 'block');
    expect(JSON.stringify(event)).not.toContain('topsecret');
    expect(JSON.stringify(event)).toMatch(/UNION/i);
  });

  test('level off forwards everything', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    expect((await ask(gateway.port, `/?id=${quoted}`)).status).toBe(200);
  });

  test('mode log lets pass and tells of it', async () => {
    await using upstream = await startUpstream();
    const protection_config = { sql_injection: { enabled: true, mode: 'log' as const } };
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, protection_config }] });
    expect((await ask(gateway.port, `/?id=${quoted}`)).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'detection');
    expect(event).toMatchObject({ decision: 'log', category: 'sql_injection' });
  });

  test('an exception keeps one parameter of one path out of it', async () => {
    await using upstream = await startUpstream();
    const exceptions = [{ category: 'sql_injection' as const, path: '/editor', parameter: 'text' }];
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, exceptions }] });
    expect((await ask(gateway.port, `/editor?text=${quoted}`)).status).toBe(200);
    expect((await ask(gateway.port, `/editor?other=${quoted}`)).status).toBe(403);
    expect((await ask(gateway.port, `/?text=${quoted}`)).status).toBe(403);
  });

  test('an exception names a parameter as people write it, and so does the event', async () => {
    await using upstream = await startUpstream();
    const name = 'größe';
    const exceptions = [{ category: 'sql_injection' as const, path: '/editor', parameter: name }];
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, exceptions }] });
    const body = JSON.stringify({ [name]: sql });
    const send = (path: string) => ask(gateway.port, path, { method: 'POST', headers: json, body });
    expect((await ask(gateway.port, `/editor?${encodeURIComponent(name)}=${quoted}`)).status).toBe(200);
    expect((await send('/editor')).status).toBe(200);
    expect((await send('/')).status).toBe(403);
    const event = await gateway.sink.event((one) => one.kind === 'detection');
    expect(event.message).toMatch(/ in JSON value größe: /);
  });

  test('a form from another origin is refused, unless the site trusts it', async () => {
    await using upstream = await startUpstream();
    const protection_config = { csrf: { enabled: true } };
    const trusted_origins = ['https://pay.example.com'];
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, protection_config, trusted_origins }],
    });
    const from = async (origin: string) => {
      const headers = { ...form, Cookie: 'session=1', Origin: origin };
      return (await ask(gateway.port, '/', { method: 'POST', headers, body: 'a=1' })).status;
    };
    expect(await from('https://pay.example.com')).toBe(200);
    expect(await from('https://evil.example')).toBe(403);
  });

  test('a method is refused that the site does not serve', async () => {
    await using upstream = await startUpstream();
    const protection_config = { method_validation: { enabled: true } };
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, protection_config, allowed_methods: ['GET', 'PROPFIND'] }],
    });
    expect((await ask(gateway.port, '/', { method: 'PROPFIND' })).status).toBe(200);
    expect((await ask(gateway.port, '/', { method: 'DELETE' })).status).toBe(403);
  });

  test('a body beyond the inspected part reaches the upstream whole', async () => {
    await using upstream = await startUpstream((incoming, response) => incoming.pipe(response));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const body = `note=${'a quiet river '.repeat(60_000)}`;
    for (const headers of [{ ...form }, { ...form, 'Transfer-Encoding': 'chunked' }]) {
      const answer = await ask(gateway.port, '/', { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      expect(answer.body === body).toBe(true);
    }
  });

  test('a connection goes on behind a body that was refused before its end', async () => {
    await using gateway = await startGateway({ sites: [{}] });
    const head = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    const body = `id=${quoted}&rest=${'a'.repeat(200_000)}`;
    const refused = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    const answers = await speak(gateway.port, `${refused}TRACE / HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 405']);
  });

  test('where the operator says so, a body beyond the inspected part is refused', async () => {
    await using gateway = await startGateway({ sites: [{ failure_modes: { oversize: 'block' } }] });
    const answer = await ask(gateway.port, '/', { method: 'POST', headers: form, body: 'a'.repeat(300_000) });
    expect(answer.status).toBe(403);
  });

  const attack = `id=${quoted}`;
  const bomb = gzipSync(`x=${'a'.repeat(20_000_000)}&${attack}`);
  test.each([
    ['gzip', 'gzip', gzipSync(attack), {}, 403],
    ['gzip behind identity, on lines of their own', ['identity', 'gzip'], gzipSync(attack), {}, 403],
    ['a bomb', 'gzip', bomb, {}, 403],
    ['a bomb, where long bodies pass', 'gzip', bomb, { oversize: 'pass' as const }, 200],
    ['a bomb, where long bodies are refused', 'gzip', bomb, { oversize: 'block' as const }, 403],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync('a=b')), {}, 403],
    ['brotli', 'br', brotliCompressSync('a=b'), {}, 403],
    [
      'brotli, where the operator lets it pass',
      'br',
      brotliCompressSync('a=b'),
      { undecoded: 'pass' as const },
      200,
    ],
    ['what is no gzip', 'gzip', Buffer.from('a=b'), {}, 403],
  ])('a body compressed with %s', async (_name, coding, body, failure_modes, status) => {
    await using upstream = await startUpstream((incoming, response) => incoming.pipe(response));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, failure_modes }] });
    const headers = { ...form, 'Content-Encoding': coding };
    const answer = await ask(gateway.port, '/', { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0);
  });

  test('a body in chunks of one byte each is put together again', async () => {
    await using upstream = await startUpstream((incoming, response) => incoming.pipe(response));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const body = Array.from({ length: 1000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');
    const lines = 'Host: a.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await speak(gateway.port, `POST / HTTP/1.1\r\n${lines}${chunks}0\r\n\r\n`);
    expect(answer).toContain(body);
  });

  test('chunks of one byte each cost the upstream no chunk each', async () => {
    await using upstream = await startUpstream((incoming, response) => {
      const pieces: string[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece.toString()));
      incoming.on('end', () => response.end(JSON.stringify(pieces)));
    });
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, security_level: 'off' }],
    });
    const body = '0123456789'.repeat(2000);
    const chunks = [...body].map((digit) => `1\r\n${digit}\r\n`).join('');
    const lines = 'Host: a.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await speak(gateway.port, `POST / HTTP/1.1\r\n${lines}${chunks}0\r\n\r\n`);
    const pieces: string[] = JSON.parse(/\[.*\]/.exec(answer)?.[0] ?? '[]');
    expect(pieces.join('')).toBe(body);
    expect(pieces.length).toBeLessThan(1000);
  });

  test('a chunked body is inspected like any other', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const headers = { ...form, 'Transfer-Encoding': 'chunked' };
    expect((await ask(gateway.port, '/', { method: 'POST', headers, body: `id=${quoted}` })).status).toBe(
      403,
    );
  });
});

const rule = (input: object) => ({
  id: 'rule-1',
  name: 'No admin',
  siteId: 'shop',
  conditions: {
    operator: 'AND' as const,
    rules: [{ field: 'path' as const, operator: 'starts_with' as const, value: '/admin' }],
  },
  ...input,
});

describe('custom rules', () => {
  test.each(['GET', 'POST'])('a redirect of %s may be written in other letters', async (method) => {
    const rules = [rule({ action: 'redirect' as const, redirectTo: '/straße' })];
    await using gateway = await startGateway({ sites: [{ rules }] });
    const body = method === 'POST' ? 'a=b' : '';
    const answer = await ask(gateway.port, '/admin', { method, headers: form, body });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/stra%C3%9Fe' } });
  });

  test('a fault of ours costs the one request, also within the reading of its body', async () => {
    await using upstream = await startUpstream();
    // Half a character: it has no encoding.
    const rules = [rule({ action: 'redirect' as const, redirectTo: '/\ud800' })];
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, rules }] });
    const answer = await ask(gateway.port, '/admin', { method: 'POST', headers: form, body: 'a=b' });
    expect(answer.status).toBe(500);
    expect((await ask(gateway.port, '/')).status).toBe(200);
    const event = await gateway.sink.event((one) => one.kind === 'engine');
    expect(event.message).toMatch(/^The gateway failed: /);
  });

  test.each([
    ['block', 403],
    ['log', 200],
    ['redirect', 302],
  ] as const)('action %s answers %i', async (action, status) => {
    await using upstream = await startUpstream();
    const rules = [rule({ action, redirectTo: '/elsewhere' })];
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, rules }] });
    const answer = await ask(gateway.port, '/admin/users');
    expect(answer.status).toBe(status);
    if (action === 'redirect') expect(answer.headers.location).toBe('/elsewhere');
    expect((await ask(gateway.port, '/')).status).toBe(200);
    const event = await gateway.sink.event((one) => one.ruleId === 'rule-1');
    expect(event).toMatchObject({ kind: 'custom_rule', decision: action });
  });

  test('a rule that asks for a key in a header takes it in no other one', async () => {
    await using upstream = await startUpstream();
    const condition = {
      field: 'header',
      name: 'X-Api-Key',
      operator: 'not_equals',
      value: 'secret',
    } as const;
    const rules = [rule({ conditions: { rules: [condition] } })];
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, rules }] });
    const status = async (headers: Record<string, string>) =>
      (await ask(gateway.port, '/', { headers })).status;
    expect(await status({ 'X-API-KEY': 'secret' })).toBe(200);
    expect(await status({ 'X-Other': 'secret' })).toBe(403);
    expect(await status({})).toBe(403);
    expect(await status({ 'X-Api-Key': 'guessed' })).toBe(403);
    await gateway.sink.until(() => gateway.sink.events[2]);
    const shown = gateway.sink.events
      .flatMap(({ matches }) => matches)
      .map(({ target, value }) => [target, value]);
    expect(shown).toEqual([
      ['header:x-api-key', ''],
      ['header:x-api-key', ''],
      ['header:x-api-key', '*******'],
    ]);
  });

  test('a rule that cannot be compiled refuses the whole snapshot by name', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const conditions = { rules: [{ field: 'path' as const, operator: 'regex' as const, value: '(' }] };
    gateway.configure({ sites: [{ rules: [rule({ conditions })] }] });
    const report = await gateway.sink.until(() => gateway.sink.reports.find((one) => one.refused));
    expect(report.refused?.reason).toContain("'No admin'");
    expect((await ask(gateway.port, '/')).status).toBe(200);
  });
});
