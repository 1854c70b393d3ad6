import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, postgresMissing, startPostgres } from '@portcullis/service/testing';
import { openStream } from '@portcullis/service/testing/event-source';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PartProcess, type RedisServer, redisMissing, startPart, startRedis } from './testing/index.ts';

const missing = redisMissing ?? postgresMissing;
const admin = { email: 'admin@example.com', password: 'Correct-horse-7!' };

describe.skipIf(missing)(`two services${missing ? ` (${missing})` : ''}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-two-'));
  let redis: RedisServer;
  let postgres: PostgresServer;
  let one: PartProcess;
  let two: PartProcess;

  const base = ({ port }: PartProcess) => `http://127.0.0.1:${port}`;
  const call = async (on: PartProcess, method: string, url: string, body?: unknown, token?: string) => {
    const response = await fetch(`${base(on)}/api${url}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const signIn = async (on: PartProcess, as = admin) =>
    (await call(on, 'POST', '/auth/login', as)).body.token as string;
  const me = async (on: PartProcess, token: string) =>
    (await call(on, 'GET', '/auth/me', undefined, token)).status;
  const addUser = async (name: string, on = one) => {
    const user = { email: `${name}@example.com`, password: 'Another-horse-8!' };
    const { body } = await call(on, 'POST', '/users', { ...user, role: 'operator' }, await signIn(on));
    return { ...user, id: body.id as string };
  };
  const follow = (on: PartProcess, stream: string, token: string) =>
    openStream(`${base(on)}${stream}`, { authorization: `Bearer ${token}` });

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    const databaseUrl = await postgres.url('portcullis');
    const start = (name: string) =>
      startPart(['service'], {
        PORTCULLIS_DATA_DIR: path.join(folder, name),
        PORTCULLIS_NODE_NAME: name,
        PORTCULLIS_DATABASE_URL: databaseUrl,
        PORTCULLIS_REDIS_URL: redis.url,
        PORTCULLIS_CLUSTER_KEY: 'a cluster key of more than 32 characters',
        PORTCULLIS_ADMIN_PORT: '0',
        PORTCULLIS_ADMIN_EMAIL: admin.email,
        PORTCULLIS_ADMIN_PASSWORD: admin.password,
      });
    one = await start('one');
    cpSync(path.join(folder, 'one', 'secrets'), path.join(folder, 'two', 'secrets'), { recursive: true });
    two = await start('two');
  });
  afterAll(async () => {
    await Promise.all([one?.stop(), two?.stop()]);
    await Promise.all([redis?.stop(), postgres?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('open one stream for a ticket between them, whichever of them made it', async () => {
    const token = await signIn(one);
    for (const stream of ['/logs/stream', '/api/metrics/system/stream']) {
      const { ticket } = (await call(one, 'POST', '/auth/stream-ticket', undefined, token)).body;
      const open = (on: PartProcess) => openStream(`${base(on)}${stream}?token=${ticket}`);
      const readers = [await open(two), await open(one), await open(two)];
      for (const reader of readers) reader.close();
      expect([stream, readers.map(({ status }) => status)]).toEqual([stream, [200, 401, 401]]);
      const both = (await call(two, 'POST', '/auth/stream-ticket', undefined, token)).body.ticket;
      const racing = await Promise.all(
        [one, two].map((on) => openStream(`${base(on)}${stream}?token=${both}`)),
      );
      for (const reader of racing) reader.close();
      expect(racing.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });

  it('show the live log and the figures of the system to a reader on either', async () => {
    const token = await signIn(one);
    for (const [here, there] of [
      [one, two],
      [two, one],
    ] as const) {
      const log = await follow(here, '/logs/stream', token);
      await log.next('ping');
      const { email } = await addUser(`new-${there.port}`, there);
      while (!JSON.stringify((await log.next('log')).data).includes(email));
      log.close();
      const figures = await follow(here, '/api/metrics/system/stream', token);
      expect((await figures.next('metrics')).data).toHaveProperty('cpu_usage');
      figures.close();
    }
  });

  it('count wrong passwords together, and both hold to the lock', async () => {
    const { email, password } = await addUser('guessed');
    const attempt = (on: PartProcess, guess: string) =>
      call(on, 'POST', '/auth/login', { email, password: guess });
    for (const on of [one, two, one, two, one]) expect((await attempt(on, 'wrong')).status).toBe(401);
    for (const on of [one, two])
      expect(await attempt(on, password)).toMatchObject({ status: 429, body: { code: 'account_locked' } });
  });

  it('refuse a session that the other one ended from its answer on, and close its stream', async () => {
    const own = await signIn(one);
    const user = await addUser('ended');
    const changed = { currentPassword: user.password, newPassword: 'A-third-horse-9!' };
    const endings: Readonly<Record<string, (token: string) => Promise<{ status: number }>>> = {
      'signed out': (token) => call(one, 'POST', '/auth/logout', undefined, token),
      'another role': () => call(one, 'PUT', `/users/${user.id}`, { role: 'viewer' }, own),
      'changed its password elsewhere': async () =>
        call(one, 'POST', '/auth/change-password', changed, await signIn(one, user)),
      'a new token key': () => call(one, 'POST', '/settings/security/rotate-key', undefined, own),
    };
    for (const [ending, end] of Object.entries(endings)) {
      const password = ending === 'a new token key' ? changed.newPassword : user.password;
      const token = await signIn(two, { ...user, password });
      const reader = await follow(two, '/logs/stream', token);
      await reader.next('ping');
      expect([ending, await me(two, token)]).toEqual([ending, 200]);
      expect([ending, (await end(token)).status]).toEqual([ending, expect.toBeOneOf([200, 204])]);
      expect([ending, await me(two, token)]).toEqual([ending, 401]);
      await reader.ended;
    }
    expect(await me(two, await signIn(two))).toBe(200);
  });
});
