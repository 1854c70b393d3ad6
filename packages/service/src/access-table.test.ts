import { type Endpoint, endpoints } from '@portcullis/contract/api';
import { rolePermissions } from '@portcullis/contract/auth';
import { type Role, roles } from '@portcullis/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminEmail, adminPassword, startService, type TestService } from './testing/index.ts';

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
function mayCall(role: Role, { access }: Endpoint): boolean {
  if (typeof access === 'string') return true;
  const held: readonly string[] = rolePermissions[role];
  return 'allOf' in access
    ? access.allOf.every((permission) => held.includes(permission))
    : access.anyOf.some((permission) => held.includes(permission));
}

describe('every call of the contract', () => {
  let service: TestService;
  const tokens = new Map<Role, string>();
  beforeAll(async () => {
    service = await startService();
    const admin = await service.signIn();
    for (const role of ['operator', 'viewer'] as const) {
      const user = { email: emails[role], role, password: adminPassword };
      expect((await service.call('POST', '/api/users', user, admin)).status).toBe(200);
    }
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
    return {
      status: response.status,
      body: response.status < 300 ? {} : JSON.parse(text),
      headers: response.headers,
    };
  };

  it('is one of a table that holds the whole API', () => {
    expect(calls.length).toBeGreaterThan(60);
  });

  it.each(calls)('%s needs a token unless it is public, and is served', async (_name, call) => {
    const { status, body } = await ask(call);
    if (call.access === 'public')
      expect([401, 403, 404]).not.toContain(body?.code === 'invalid_credentials' ? 0 : status);
    else expect([status, body.code]).toEqual([401, 'not_signed_in']);
  });

  it.each(calls)('%s takes no token that is over or forged', async (_name, call) => {
    if (call.access === 'public') return;
    const over = await service.signIn(emails.viewer);
    await service.call('POST', '/api/auth/logout', undefined, over);
    for (const token of [over, 'forged']) {
      const { status, body } = await ask(call, token);
      expect([status, body.code]).toEqual([401, 'session_expired']);
    }
  });

  for (const role of roles) {
    it.each(calls)(
      `%s answers ${role === 'viewer' ? 'a' : 'an'} ${role} as the policy says`,
      async (_name, call) => {
        const { status, body } = await ask(call, await tokenOf(role));
        if (mayCall(role, call)) {
          expect([401, 403, 500]).not.toContain(body?.code === 'invalid_credentials' ? 0 : status);
        } else expect([status, body.code]).toEqual([403, 'forbidden']);
      },
    );
  }
});
