import { type Endpoint, endpoints } from '@portcullis/contract/api';
import { permissions, rolePermissions } from '@portcullis/contract/auth';
import { type Role, roles } from '@portcullis/contract/users';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStorage } from './storage/index.ts';
import { adminEmail, adminPassword, openStream, startService, type TestService } from './testing/index.ts';

const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>).map(
    ([name, call]) => [`${noun}.${name}`, call] as const,
  ),
);

const emails: Record<Role, string> = {
  admin: adminEmail,
  operator: 'operator@example.com',
  viewer: 'viewer@example.com',
};

/** What the policy of the decisions says, worked out anew from the table. */
function mayCall(held: readonly string[], { access }: Endpoint): boolean {
  if (typeof access === 'string') return true;
  return 'allOf' in access
    ? access.allOf.every((permission) => held.includes(permission))
    : access.anyOf.some((permission) => held.includes(permission));
}

/** Who is let through is told what is wrong with an empty body, or which kind it has to be, that nothing has the id, or is answered. */
function answerTo(call: Endpoint): number {
  if (call.accepts) return 415;
  if (call.body && !call.body.safeParse({}).success) return 422;
  if (call.query && !call.query.safeParse({}).success) return 422;
  if (call.params) return 404;
  return call.response || call.produces ? 200 : 204;
}

const dayMs = 86_400_000;

describe('every call of the contract', () => {
  let service: TestService;
  let clock = Date.now();
  const tokens = new Map<Role, string>();
  /** tokens that were good once, or never */
  const dead = new Map<string, string>();
  let admin: string;
  let apiToken: string;

  const makeToken = async (session: string, more: object = {}) => {
    const asked = { name: 'table', permissions: [...permissions], ...more };
    return (await service.call('POST', '/api/auth/api-tokens', asked, session)).body;
  };
  const end = async (path: string, session: string) => {
    expect((await service.call('DELETE', `/api/auth/${path}`, undefined, session)).status).toBe(204);
  };
  const sessionsOf = async (session: string): Promise<{ id: string; current: boolean }[]> =>
    (await service.call('GET', '/api/auth/sessions', undefined, session)).body;

  beforeAll(async () => {
    service = await startService({ now: () => clock });
    const before = await service.signIn();
    for (const role of ['operator', 'viewer'] as const) {
      const user = { email: emails[role], role, password: adminPassword };
      expect((await service.call('POST', '/api/users', user, before)).status).toBe(200);
    }
    dead.set('an expired session', before);
    dead.set('an expired API token', (await makeToken(before, { expiresInDays: 1 })).secret);
    clock += 2 * dayMs;
    const revoked = await service.signIn();
    const [{ id } = { id: '' }] = await sessionsOf(revoked);
    admin = await service.signIn();
    await end(`sessions/${id}`, admin);
    dead.set('a revoked session', revoked);
    const signedOut = await service.signIn();
    await service.call('POST', '/api/auth/logout', undefined, signedOut);
    dead.set('a session that signed out', signedOut);
    const { secret, token } = await makeToken(admin);
    await end(`api-tokens/${token.id}`, admin);
    dead.set('a revoked API token', secret);
    dead.set('a forged token', 'forged');
    dead.set('a forged API token', 'pct_forged');
    apiToken = (await makeToken(admin)).secret;
  });
  afterAll(() => service.stop());

  /** Some calls end sessions; the next one signs in again. */
  const tokenOf = async (role: Role) => {
    const known = tokens.get(role);
    if (known && (await service.call('GET', '/api/auth/me', undefined, known)).status === 200) return known;
    const token = await service.signIn(emails[role]);
    tokens.set(role, token);
    return token;
  };
  const ask = async ({ method, path, body, produces }: Endpoint, token?: string) => {
    // Ids and bodies of nothing: who is let through is then told what is wrong with them.
    const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_all, name) => (name === 'version' ? '999' : 'none_such'))}`;
    if (!produces) return service.call(method, url, body ? {} : undefined, token);
    const response = await fetch(service.base + url, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: '{}' }),
    });
    const text = await response.text();
    const answered = response.status < 300 ? {} : JSON.parse(text);
    return { status: response.status, body: answered, headers: response.headers };
  };

  it('is one of a table that holds the whole API', () => {
    expect(calls.length).toBeGreaterThan(60);
  });

  it.each(calls)('%s needs a token unless it is public, and is served', async (_name, call) => {
    const { status, body } = await ask(call);
    if (call.access === 'public') expect(status).toBe(answerTo(call));
    else expect([status, body.code]).toEqual([401, 'not_signed_in']);
  });

  it.each(calls)('%s takes no token that is over or forged', async (_name, call) => {
    if (call.access === 'public') return;
    for (const [which, token] of dead) {
      const { status, body } = await ask(call, token);
      expect([which, status, body.code]).toEqual([which, 401, 'session_expired']);
    }
  });

  for (const role of roles) {
    it.each(calls)(
      `%s answers ${role === 'viewer' ? 'a' : 'an'} ${role} as the policy says`,
      async (_name, call) => {
        const { status, body } = await ask(call, await tokenOf(role));
        if (mayCall(rolePermissions[role], call)) expect(status).toBe(answerTo(call));
        else expect([status, body.code]).toEqual([403, 'forbidden']);
      },
    );
  }

  it.each(calls)('%s answers an API token by its permissions, and never as a person', async (name, call) => {
    // It ends what every other call is made with.
    if (name === 'settings.rotateTokenKey') return;
    const { status, body } = await ask(call, apiToken);
    if (call.access === 'session') expect([status, body.code]).toEqual([403, 'forbidden']);
    else expect(status).toBe(answerTo(call));
  });

  /** Not among the endpoints, for they answer events instead of one value. */
  const streams = [
    ['/logs/stream', 'audit:view'],
    ['/api/logs/stream', 'audit:view'],
    ['/api/metrics/system/stream', 'metrics:view'],
  ] as const;
  const read = async (path: string, token?: string) => {
    const reader = await openStream(
      service.base + path,
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
    onTestFinished(() => reader.close());
    return reader;
  };

  it.each(streams)(
    'the stream %s needs a good token with %s, by whichever way it comes',
    async (path, needed) => {
      expect((await read(path)).status).toBe(401);
      for (const [which, token] of dead) {
        expect([which, (await read(path, token)).status]).toEqual([which, 401]);
        expect([which, (await read(`${path}?token=${token}`)).status]).toEqual([which, 401]);
      }
      for (const role of roles) {
        const mayRead = rolePermissions[role].includes(needed);
        expect([role, (await read(path, await tokenOf(role))).status]).toEqual([role, mayRead ? 200 : 403]);
      }
      const others = permissions.filter((permission) => permission !== needed);
      const lacking = (await makeToken(await tokenOf('admin'), { permissions: others })).secret;
      expect((await read(path, lacking)).status).toBe(403);
      const { secret } = await makeToken(await tokenOf('admin'), { permissions: [needed] });
      expect((await read(path, secret)).status).toBe(200);
    },
  );

  it.each(streams)('the stream %s ends for a token that loses %s while it reads', async (path, needed) => {
    const { secret, token } = await makeToken(await tokenOf('admin'), { permissions: [needed] });
    const reader = await read(path, secret);
    const storage = await openStorage({ dataDir: service.dataDir });
    onTestFinished(() => storage.close());
    const stripped = { permissions: JSON.stringify(['site:view']) };
    await storage.db.updateTable('api_tokens').set(stripped).where('id', '=', token.id).execute();
    // Streams look again as soon as any session ends.
    await service.call('POST', '/api/auth/logout', undefined, await service.signIn());
    await reader.next('reconnect');
    await reader.ended;
    expect((await read(path, secret)).status).toBe(403);
  });

  /** Calls on what is one user's alone, by id. */
  const ofOneUser = calls.filter(([, call]) => call.params && typeof call.access === 'string');

  it('knows what belongs to one user alone', () => {
    expect(ofOneUser.map(([name]) => name)).toEqual(['auth.revokeSession', 'auth.revokeApiToken']);
  });

  it.each(roles)(
    "gives %s nothing of another's sessions and tokens, as if they were not there",
    async (role) => {
      const owner = role === 'viewer' ? 'operator' : 'viewer';
      const theirs = await tokenOf(owner);
      const made = await makeToken(theirs, { permissions: ['site:view'] });
      const session = (await sessionsOf(theirs)).find(({ current }) => current);
      const objects: Record<string, string> = {
        'auth.revokeSession': session?.id ?? '',
        'auth.revokeApiToken': made.token.id,
      };
      for (const [name, call] of ofOneUser) {
        const url = `/api${call.path.replace('{id}', objects[name] ?? '')}`;
        const { status, body } = await service.call(call.method, url, undefined, await tokenOf(role));
        expect([name, status, body.code]).toEqual([name, 404, 'not_found']);
      }
      expect((await service.call('GET', '/api/auth/me', undefined, theirs)).status).toBe(200);
      expect((await service.call('GET', '/api/sites', undefined, made.secret)).status).toBe(200);
      const listed = JSON.stringify([
        await sessionsOf(await tokenOf(role)),
        (await service.call('GET', '/api/auth/api-tokens', undefined, await tokenOf(role))).body,
        (await service.call('GET', '/api/auth/profile', undefined, await tokenOf(role))).body,
      ]);
      for (const id of [...Object.values(objects), emails[owner]]) expect(listed).not.toContain(id);
    },
  );

  it('keeps one user out of the account of another, whoever they are but an administrator', async () => {
    const { user } = (await service.call('GET', '/api/auth/me', undefined, await tokenOf('viewer'))).body;
    for (const [method, path, body] of [
      ['PUT', `users/${user.id}`, { email: 'taken@example.com' }],
      ['PUT', `users/${user.id}`, { role: 'admin' }],
      ['DELETE', `users/${user.id}/totp`, undefined],
      ['DELETE', `users/${user.id}`, undefined],
    ] as const) {
      // Not even of oneself: a role is not for its holder to raise.
      for (const role of ['operator', 'viewer'] as const) {
        const refused = await service.call(method, `/api/${path}`, body, await tokenOf(role));
        expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
      }
    }
  });
});
