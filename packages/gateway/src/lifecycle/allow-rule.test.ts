import { describe, expect, test } from 'vitest';
import { ask, speak, startGateway, startUpstream } from '../testing/index.ts';

const rule = {
  id: 'rule-1',
  name: 'Let in',
  siteId: 'shop',
  action: 'allow' as const,
  conditions: { rules: [{ field: 'path' as const, operator: 'starts_with' as const, value: '/in' }] },
};
const leak = 'ORA-01756: quoted string not properly terminated';
/** The strictest that a site can ask for, so that only a rule lets anything by. */
const strict = {
  protection_config: { method_validation: { enabled: true }, size_limit: { enabled: true } },
  allowed_methods: ['GET', 'POST'],
  response_inspection: { mode: 'block' as const },
  failure_modes: { oversize: 'block' as const, undecoded: 'block' as const, over_budget: 'block' as const },
};

interface Sent {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** What a request gets, and what it would get without the rule. */
const table: [what: string, sent: Sent, allowed: number, otherwise: number][] = [
  // A category judges the request: passed by.
  ['a method that the site does not serve', { method: 'PATCH' }, 200, 403],
  ['a method asked for by a header', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }, 200, 403],
  ['a target of more than 8 KB', { query: 'a'.repeat(9000) }, 200, 403],
  [
    'more arguments than are read',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&'.repeat(4100),
    },
    200,
    403,
  ],
  // So is what cannot be judged, for nobody is to judge it.
  ['a body longer than is inspected', { method: 'POST', body: `a=${'b'.repeat(200_000)}` }, 200, 403],
  [
    'a body in an unknown coding',
    { method: 'POST', headers: { 'Content-Encoding': 'br' }, body: Buffer.from([3]) },
    200,
    403,
  ],
  // The gateway's own bounds and what it needs to read a request at all: they hold.
  ['a method that reflects', { method: 'TRACE' }, 405, 405],
  ['Connection that names a header', { headers: { Connection: 'close, X-Forwarded-For' } }, 400, 400],
  ['more fields than a head may have', { headers: many('X-F', 520) }, 431, 431],
  ['a head that is too long', { headers: { 'X-Long': 'y'.repeat(40_000) } }, 431, 431],
  ['a target with a fragment', { query: 'a#b' }, 400, 400],
  // What the site answers is looked into for the site's sake.
  ['an answer with a leak', { query: 'leak' }, 502, 502],
  ['an answer in an unknown coding', { query: 'coded' }, 502, 502],
];

function many(name: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, '1']));
}

describe('a request that a rule allows', () => {
  test.each(table)(
    'meets what is not a judgement on it alone: %s',
    async (_what, sent, allowed, otherwise) => {
      await using upstream = await startUpstream((request, response) => {
        if (request.url?.endsWith('coded')) response.setHeader('Content-Encoding', 'compress');
        response.setHeader('Content-Type', 'text/plain').end(request.url?.endsWith('leak') ? leak : 'fine');
      });
      await using gateway = await startGateway({
        sites: [{ id: 'shop', backend_url: upstream.url, rules: [rule], ...strict }],
      });
      const { method = 'GET', query = '', headers = {}, body = '' } = sent;
      const status = async (path: string) => {
        const fields = { Host: 'a.test', Connection: 'close', ...headers };
        const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
        const length = body.length > 0 ? `Content-Length: ${body.length}\r\n` : '';
        const head = `${method} ${path}?${query} HTTP/1.1\r\n${lines.join('')}${length}\r\n`;
        const answer = await speak(gateway.port, Buffer.concat([Buffer.from(head), Buffer.from(body)]));
        return Number(answer.slice(9, 12));
      };
      expect([await status('/in'), await status('/out')]).toEqual([allowed, otherwise]);
      expect(upstream.requests.some(({ url }) => url?.startsWith('/out'))).toBe(otherwise === 502);
    },
  );

  test('every case of the table ran', () => expect(table).toHaveLength(13));

  test('gets the CORS headers, the limits and the time that others get', async () => {
    await using upstream = await startUpstream((_request, response) => void response.write('begun'));
    await using gateway = await startGateway({
      general: { totalTimeout: 1 },
      sites: [
        {
          id: 'shop',
          backend_url: upstream.url,
          rules: [rule],
          cors: { enabled: true, allowed_origins: ['https://app.example.com'] },
          rate_limit: { enabled: true, capacity: 5 },
        },
      ],
    });
    const headers = { Origin: 'https://app.example.com' };
    const preflight = { ...headers, 'Access-Control-Request-Method': 'GET' };
    expect((await ask(gateway.port, '/in', { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    const text = await speak(
      gateway.port,
      'GET /in HTTP/1.1\r\nHost: a.test\r\nOrigin: https://app.example.com\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/access-control-allow-origin: https:\/\/app\.example\.com\r\n/i);
    expect(text).toMatch(/ratelimit: /i);
    // Cut by the total time.
    expect(text).not.toContain('\r\n0\r\n');
  });
});
