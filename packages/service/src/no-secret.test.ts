import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Endpoint, endpoints } from '@portcullis/contract/api';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { adminEmail, adminPassword, openStream, startService, type TestService } from './testing/index.ts';

/** Fields that hold what nobody but their sender may see. */
const secretFields = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'totpCode',
  'code',
  'secret',
  'key',
  'privateKey',
  'webhookUrl',
  'signingKey',
  'passphrase',
]);
const canary = 'Canary-7!-hunter2-SECRET';
/** long enough for a key of tokens */
const tokenKey = `${canary}-${canary}`;

const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>)
    .filter(([name, call]) => call.body && name !== 'rotateTokenKey')
    .map(([name, call]) => [`${noun}.${name}`, call] as const),
);

type Schema = {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly enum?: unknown[];
};

/** Something for each field that a schema names: the canary where it is secret, else what may be right. */
function filled(schema: Schema, name = ''): unknown {
  if (secretFields.has(name)) return name === 'webhookUrl' ? `https://hooks.example.com/${canary}` : canary;
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([field, inner]) => [field, filled(inner, field)]),
    );
  }
  if (schema.enum) return schema.enum[0];
  if (name === 'email' || name === 'address' || name === 'senderEmail') return 'someone@example.com';
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return 10;
  return schema.type === 'array' ? [] : 'text';
}

function bodyOf(call: Endpoint): unknown {
  const schema = z.toJSONSchema(call.body as z.ZodType, { io: 'input', unrepresentable: 'any' });
  return filled(schema as Schema);
}

const hasSecret = (body: unknown) => JSON.stringify(body).includes(canary);

describe('a secret that is sent', () => {
  let service: TestService;
  let session: string;
  beforeAll(async () => {
    service = await startService();
    session = await service.signIn();
  });
  afterAll(() => service.stop());

  const send = async (call: Endpoint, body: string) => {
    const response = await fetch(`${service.base}/api${call.path.replaceAll(/\{\w+\}/g, '1')}`, {
      method: call.method,
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body,
    });
    return `${response.status} ${[...response.headers]} ${await response.text()}`;
  };

  it('is one of many, so that this table is no empty one', () => {
    const withSecret = calls.filter(([, call]) => hasSecret(bodyOf(call)));
    expect(withSecret.length).toBeGreaterThan(12);
  });

  it.each(calls)('to %s comes back in no answer, taken or refused', async (_name, call) => {
    const whole = JSON.stringify(bodyOf(call));
    const bodies = [
      whole,
      whole.slice(0, -1),
      whole.replaceAll(`"${canary}"`, canary),
      whole.replaceAll(`"${canary}"`, `{"inner": "${canary}"}`),
      whole.replaceAll(`"${canary}"`, `["${canary}"]`),
      JSON.stringify({
        document: `portcullis: 1\nsettings: { notifications: { email: { key: ${canary} } } }`,
      }),
      `"${canary}"`,
    ];
    for (const body of bodies) expect(await send(call, body)).not.toContain(canary.slice(0, 9));
  });

  it('is in no log line, no audit entry, no history, and not in the database as it is', async () => {
    // One that was taken for certain, and one that was refused.
    const webhookUrl = `https://hooks.example.com/${canary}`;
    const channels = {
      email: { key: canary },
      slack: { webhookUrl },
      webhook: { webhookUrl, signingKey: canary },
    };
    const saved = await service.call('PUT', '/api/notifications/settings', channels, session);
    expect(saved.status).toBe(200);
    const user = { email: 'new@example.com', role: 'viewer', password: canary };
    expect((await service.call('POST', '/api/users', user, session)).status).toBe(200);
    await service.call('POST', '/api/auth/login', { email: adminEmail, password: canary });
    const change = { currentPassword: adminPassword, newPassword: `${canary}2` };
    expect((await service.call('POST', '/api/auth/change-password', change, session)).status).toBe(204);
    const read = [
      'audit?limit=500',
      'audit/admin?limit=500',
      'configuration/versions',
      'users',
      'notifications/settings',
    ];
    for (const path of read) {
      const { status, body } = await service.call('GET', `/api/${path}`, undefined, session);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(body)).not.toContain(canary);
    }
    // Neither what opens the door now, where a stream carries it in its address too.
    const ticket = (await service.call('POST', '/api/auth/stream-ticket', undefined, session)).body.ticket;
    const api = { name: 'ci', permissions: ['site:view'] };
    const { secret } = (await service.call('POST', '/api/auth/api-tokens', api, session)).body;
    // Last of what is sent, for it ends every session: a key that signs all the others.
    const rotate = (key: string, as: string) =>
      service.call('POST', '/api/settings/security/rotate-key', { key }, as);
    const short = await rotate(canary, session);
    expect([short.status, JSON.stringify(short.body).includes(canary)]).toEqual([422, false]);
    const rotated = await rotate(tokenKey, session);
    expect([rotated.status, rotated.body]).toEqual([204, undefined]);
    expect((await service.call('GET', '/api/auth/me', undefined, session)).status).toBe(401);
    const again = await service.signIn(adminEmail, `${canary}2`);
    const { payload } = await jwtVerify(again, new TextEncoder().encode(tokenKey));
    expect(payload.sub).toMatch(/^usr_/);
    const unused = (await service.call('POST', '/api/auth/stream-ticket', undefined, again)).body.ticket;
    for (const token of [ticket, again, 'forged-Canary']) {
      const reader = await openStream(`${service.base}/logs/stream?token=${token}`);
      reader.close();
    }
    const audit = await service.call('GET', '/api/audit/admin?limit=500', undefined, again);
    const told = `${service.logged.join('\n')} ${JSON.stringify(audit.body)}`;
    const openers = [ticket, unused, secret, session, again];
    for (const one of openers) {
      expect(one.length).toBeGreaterThan(20);
      expect(told).not.toContain(one);
    }
    expect(told).not.toContain(canary.slice(0, 9));
    await service.service.stop();
    await expectInNoFile(service.dataDir, [canary, adminPassword, ...openers]);
  });
});

describe('the link that makes the first administrator', () => {
  it('is stored as nothing that opens the door, and logged nowhere', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'portcullis-setup-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const service = await startService({ dataDir, bootstrapAdmin: undefined });
    const token = service.setupLink?.split('#token=')[1] ?? '';
    expect((await service.call('POST', '/api/setup', { token: `${token}x` })).status).toBe(422);
    await service.stop();
    expect(token.length).toBeGreaterThan(20);
    expect(service.logged.join('\n')).not.toContain(token);
    await expectInNoFile(dataDir, [token]);
  });
});

async function expectInNoFile(dataDir: string, secrets: readonly string[]): Promise<void> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile());
  expect(files.map(({ name }) => name)).toContain('portcullis.sqlite');
  for (const { parentPath, name } of files) {
    const bytes = await readFile(path.join(parentPath, name), 'latin1');
    expect([name, secrets.filter((secret) => bytes.includes(secret))]).toEqual([name, []]);
  }
}
