import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Endpoint, endpoints, errorCodes } from '@portcullis/contract/api';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from './storage/index.ts';
import { testDialects } from './storage/testing/index.ts';
import { batch, securityEvent, startService, type TestService } from './testing/index.ts';

/** Ends sessions or replaces keys, so it would stop the others; its bodies are tested where it lives. */
const left = new Set(['settings.rotateTokenKey', 'auth.logout']);

const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>)
    .map(([name, call]) => [`${noun}.${name}`, call] as const)
    .filter(([name]) => !left.has(name)),
);
const withBody = calls.filter(([, call]) => call.body);
const withQuery = calls.filter(([, call]) => call.query);

const withId = calls.filter(([, call]) => call.path.includes('{') && !call.body);

const odd = fc.constantFrom(
  '',
  '\u0000',
  '\ud800',
  '\u202e',
  '🦊'.repeat(300),
  '../../etc/passwd',
  "' or 1=1 --",
  '<script>',
  `\${jndi:x}`,
  'a'.repeat(20_000),
  '-1',
  '1e999',
  'NaN',
  '9'.repeat(40),
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  odd,
  fc.array(odd, { maxLength: 3 }),
  fc.dictionary(odd, fc.anything()),
);

/** An object with the names that a schema knows, each with anything. */
function shaped(call: Endpoint): fc.Arbitrary<unknown> {
  const shape = call.body && 'shape' in call.body ? (call.body.shape as Record<string, unknown>) : {};
  const names = [...Object.keys(shape), 'version', 'id', 'role'];
  return fc.dictionary(fc.constantFrom(...names), anything, { minKeys: 1, maxKeys: 6 });
}

/** A wrong password is told of and counted, and a session seen; the others go by the clock. */
const untouched = new Set([
  ...['admin_audit', 'login_attempts', 'sessions'],
  ...['alerts', 'fleet_members', 'leases', 'traffic_minute', 'traffic_hour', 'traffic_total', 'event_days'],
]);

// PostgreSQL refuses much that SQLite takes: numbers out of range, lists of nothing, characters that are none.
const dialects = testDialects();

describe.each(dialects)('whatever is sent, on $name', (dialect) => {
  // Most of it is refused before any storage is asked.
  const numRuns = dialect.name === 'sqlite' ? 12 : 5;
  let service: TestService;
  let token: string;
  let storage: Storage;
  beforeAll(async () => {
    const databaseUrl = await dialect.databaseUrl();
    service = await startService({ databaseUrl });
    token = await service.signIn();
    // A search looks into days that have events alone.
    await service.service.controlPlane.accept(batch({ events: [securityEvent()] }));
    storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
  });
  afterAll(async () => {
    await storage.close();
    await service.stop();
    await dialect.stop();
  });
  const version = () => {
    const [directive] = service.service.controlPlane.current();
    return directive?.type === 'snapshot' ? directive.snapshot.version : 0;
  };
  const ask = async (call: Endpoint, query: string, body?: string, id = '1') => {
    const url = `${service.base}/api${call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(id))}${query}`;
    const response = await fetch(url, {
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': call.accepts ?? 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(text) : undefined };
  };
  /** Rows of all tables but those that tell of the refusal itself, and of time. */
  const stored = async () => {
    const all = await storage.db.introspection.getTables();
    const names = all
      .map(({ name }) => name)
      .filter((name) => !/^events_/.test(name) && !untouched.has(name));
    const rows = await Promise.all(
      names.map(async (name) => {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
          storage.read,
        );
        return [name, rows.filter(({ key }) => key !== 'audit_head')];
      }),
    );
    return Object.fromEntries(rows);
  };
  const expectClean = async (answer: Awaited<ReturnType<typeof ask>>, before: unknown) => {
    expect(answer.status).toBeLessThan(500);
    if (answer.status < 400) return;
    expect(errorCodes).toContain(answer.body.code);
    expect(answer.body.error).toBe(answer.body.message);
    if (answer.status === 422 || answer.body.code === 'malformed_body') {
      expect([answer.body.code, answer.body.issues?.length > 0]).toEqual([answer.body.code, true]);
    }
    // Nothing of what was refused is kept.
    expect(await stored()).toEqual(before);
  };

  it.each(withBody)('%s refuses with a reason or does it whole, and never fails', async (_name, call) => {
    const bodies = fc.oneof(anything, shaped(call)).map((value) => JSON.stringify(value) ?? 'null');
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const before = await stored();
        await expectClean(await ask(call, '', body), before);
      }),
      { numRuns },
    );
  });

  it.each(withBody)('%s refuses what is no object with all that is wrong', async (_name, call) => {
    for (const body of ['[]', '1', '"x"', 'null']) {
      const { status, body: answer } = await ask(call, '', body);
      expect([400, 404, 409, 422]).toContain(status);
      if (status === 422) expect(answer.issues.length).toBeGreaterThan(0);
    }
  });

  it.each(withQuery)('%s reads any query without failing', async (_name, call) => {
    const names = [...Object.keys(call.query?.shape ?? {}), 'x'];
    const parameters = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(odd, fc.string())), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(parameters, async (pairs) => {
        const query = pairs.map(
          ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed().slice(0, 2000))}`,
        );
        const before = await stored();
        await expectClean(await ask(call, `?${query.join('&')}`), before);
      }),
      { numRuns },
    );
  });

  const malformed = {
    'cut off': '{"name": "x"',
    'no JSON': 'name=x',
    'repeated name': '{"name": "x", "name": "y"}',
    'repeated name within': '{"a": {"b": 1, "b": 2}}',
    'repeated name in other letters': '{"name": "x", "n\\u0061me": "y"}',
    'deep list': '['.repeat(5000) + ']'.repeat(5000),
    'deep object': `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
    prototype: '{"__proto__": {"role": "admin"}}',
    'prototype within': '{"a": [{"constructor": {"prototype": {"role": "admin"}}}]}',
    'prototype in other letters': '{"\\u005f_proto__": {}}',
    NUL: '{"name": "a\\u0000b"}',
    'NUL as a name': '{"a\\u0000": 1}',
  };
  it.each(withId)('%s knows no thing by an id that is none', async (_name, call) => {
    for (const id of [
      '0',
      '-1',
      '1e3',
      '99999999999',
      '9'.repeat(25),
      '🦊',
      "' or 1=1 --",
      'x'.repeat(300),
    ]) {
      const { status, body: answer } = await ask(call, '', call.accepts && '', id);
      expect([id, [400, 404, 414, 422].includes(status), typeof answer.code]).toEqual([id, true, 'string']);
    }
  });

  // These are refused before any storage is asked.
  const whateverTheStorage = dialect.name === 'sqlite' ? withBody : [];
  it.each(whateverTheStorage)(
    '%s refuses every malformed body before it looks into it',
    async (_name, call) => {
      const before = version();
      for (const [what, body] of Object.entries(malformed)) {
        const { status, body: answer } = await ask(call, '', body);
        expect([what, status, answer.code]).toEqual([what, 400, 'malformed_body']);
        expect([what, answer.issues]).toEqual([what, [{ path: '', message: answer.message }]]);
      }
      expect(version()).toBe(before);
    },
  );

  /** Only says how much it would send: the refusal does not wait for it. */
  const announce = async (call: Endpoint, bytes: number, type: string) => {
    const url = `${service.base}/api${call.path.replaceAll(/\{\w+\}/g, '1')}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': bytes };
    const asking = request(url, { method: call.method, headers, agent: false });
    asking.flushHeaders();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const answer = JSON.parse(await text(response));
    asking.destroy();
    return [response.statusCode, answer.code];
  };
  it.each(whateverTheStorage)('%s takes no more than it can read, and JSON alone', async (_name, call) => {
    expect(await announce(call, 5 * 1024 * 1024, 'application/json')).toEqual([413, 'body_too_large']);
    expect(await announce(call, 10, 'text/plain')).toEqual([415, 'unsupported_media_type']);
  });

  it('wrote no failure of its own into the log', () => {
    expect(service.logged.filter((line) => line.startsWith('A call failed'))).toEqual([]);
  });
});
