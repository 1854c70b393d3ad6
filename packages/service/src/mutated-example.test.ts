import { type Endpoint, endpoints, errorCodes } from '@portcullis/contract/api';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from './api-reference/examples.ts';
import { openStorage, type Storage } from './storage/index.ts';
import { startService, type TestService } from './testing/index.ts';

/** Would send a mail, or ask an authority. */
const reachOut = ['notifications.test', 'certificates.issue'];
/** Replaces the keys that the sessions of the test stand on, or slow it down by a password's hash each. */
const ownTests = [
  'settings.rotateTokenKey',
  'auth.login',
  'auth.setup',
  'auth.changePassword',
  'users.create',
];

const left = new Set([...reachOut, ...ownTests]);
const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>)
    .map(([name, call]) => ({ id: `${noun}.${name}`, call }))
    .filter(({ id, call }) => call.method !== 'GET' && !left.has(id)),
);
const withBody = calls.flatMap(({ id, call }) => (call.body ? [{ id, call, schema: call.body }] : []));
const withText = calls.filter(({ call }) => call.accepts);

/** JSON in place of one value deep inside: a text, for some of it no object can hold. */
const others = [
  ...['null', 'true', '-1', '1e400', '1.5', '""', '[]', '{}', '[[]]', '{"a":{"b":1}}'],
  JSON.stringify('x'.repeat(9000)),
  JSON.stringify('\ud800 \u202e \uffff 🦊'),
  `[${'1,'.repeat(2000)}1]`,
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{}}}',
  '{"x":1,"x":2}',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  '"\\u0000"',
] as const;

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

const mark = 'stands in for the other value';

function replaced(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return mark;
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? replaced(one, rest) : one));
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: replaced(fields[name], rest) };
}

const texts: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['203.0.113.0/24\n', '2001:db8:bad::/48 # the feed of today\n'],
  'application/yaml': [
    'portcullis: 1\n',
    'sites:\n  - name: Shop\n    domains: [shop.example.com]\n    backend_url: http://192.0.2.1\n',
    'address_lists:\n  - { name: Feed, action: block, entries: [192.0.2.1] }\n',
    'settings: { general: { systemName: Shop } }\n',
  ],
};
const oddText = fc.constantFrom(
  ...['\u0000', '\ud800', '\ufeff', '\t', '---\n', '&a [*a]\n', '!!js/function x', '__proto__: {}\n'],
  ...['🦊'.repeat(2000), 'x'.repeat(70_000), '['.repeat(2000), '\r', '"', ': ', '- ', '192.0.2.1/999\n'],
);

describe('a call as the reference shows it, with one thing in it that is odd', () => {
  let service: TestService;
  let token: string;
  let storage: Storage;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    service = await startService();
    token = await service.signIn();
    storage = await openStorage({ dataDir: service.dataDir });
    const made = async (path: string, body: object) =>
      (await service.call('POST', `/api${path}`, body, token)).body.id;
    const site = await made('/sites', {
      name: 'Odd',
      domains: ['odd.example.com'],
      backend_url: 'http://192.0.2.9',
    });
    ids = { sites: site, access: await made('/access/lists', { name: 'Odd', action: 'block', entries: [] }) };
  });
  afterAll(async () => {
    await storage.close();
    await service.stop();
  });

  /** What a refused call may not have touched. Wrong passwords are counted, and sessions seen. */
  const kept = ['sites', 'site_domains', 'config_objects', 'config_versions', 'users', 'api_tokens'];
  const stored = async () => {
    const there = new Set((await storage.read.introspection.getTables()).map(({ name }) => name));
    const tables = [...kept, 'settings', 'notifications'].filter((name) => there.has(name));
    const rows = await Promise.all(
      tables.map(
        async (name) => (await sql`select * from ${sql.table(name)}`.execute(storage.read)).rows as unknown[],
      ),
    );
    return JSON.stringify(rows);
  };
  const expectWhole = async (call: Endpoint, id: string, body: string) => {
    const before = await stored();
    const answer = await fetch(
      `${service.base}/api${call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(id))}`,
      {
        method: call.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': call.accepts ?? 'application/json' },
        body,
      },
    );
    const text = await answer.text();
    expect([
      body.slice(0, 500),
      answer.status < 500,
      service.logged.filter((line) => line.startsWith('A call failed')),
    ]).toEqual([body.slice(0, 500), true, []]);
    if (answer.status < 400) return;
    const { code, issues } = JSON.parse(text);
    expect(errorCodes).toContain(code);
    if (answer.status === 422 || code === 'malformed_body') {
      expect([body.slice(0, 500), issues?.length > 0]).toEqual([body.slice(0, 500), true]);
    }
    expect([body.slice(0, 500), await stored()]).toEqual([body.slice(0, 500), before]);
  };
  const idFor = (id: string) => ids[id.split('.')[0] ?? ''] ?? '1';

  it.each(withBody)('$id refuses it with issues or does it whole', async ({ id, call, schema }) => {
    const example = exampleOf(schema, 'input');
    const paths = pathsOf(example);
    if (paths.length === 0) return;
    const bodies = fc
      .tuple(fc.constantFrom(...paths), fc.constantFrom(...others))
      .map(([path, other]) =>
        JSON.stringify(replaced(example, path)).replace(JSON.stringify(mark), () => other),
      );
    const run = async (body: string) => expectWhole(call, idFor(id), body);
    await fc.assert(fc.asyncProperty(bodies, run), { numRuns: 10 });
  });

  const oddIds = ['0', '1e3', '9'.repeat(25), '🦊', "' or 1=1 --", '__proto__', 'x'.repeat(300), '..'];
  it.each(withBody.filter(({ call }) => call.path.includes('{')))(
    '$id knows no thing by an id that is none',
    async ({ call, schema }) => {
      const body = JSON.stringify(exampleOf(schema, 'input'));
      for (const id of oddIds) await expectWhole(call, id, body);
    },
  );

  it.each(withText)('$id reads any text with an odd place in it', async ({ id, call }) => {
    const lines = texts[call.accepts ?? ''] ?? [];
    const bodies = fc
      .tuple(
        fc.array(fc.oneof(fc.constantFrom(...lines), oddText), { minLength: 1, maxLength: 4 }),
        fc.nat(60),
      )
      .map(([some, at]) => {
        const [first = '', ...rest] = some;
        const whole = `${lines[0]}${rest.join('')}`;
        return `${whole.slice(0, at)}${first}${whole.slice(at)}`;
      });
    const run = async (body: string) => expectWhole(call, idFor(id), body);
    await fc.assert(fc.asyncProperty(bodies, run), { numRuns: 12 });
  });

  it('was let in to the end', async () => {
    expect((await service.call('GET', '/api/sites', undefined, token)).status).toBe(200);
  });
});
