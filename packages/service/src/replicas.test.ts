import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AuditEntry } from '@portcullis/contract/events';
import type { PeerMessage, Peers } from '@portcullis/contract/link';
import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServiceOptions } from './options.ts';
import { loadSealer } from './sealing/index.ts';
import { migrations, openStorage } from './storage/index.ts';
import type { StorageMigration } from './storage/migrations/index.ts';
import { testDialects } from './storage/testing/index.ts';
import {
  adminEmail,
  adminPassword,
  batch,
  openStream,
  securityEvent,
  startService,
  type TestService,
} from './testing/index.ts';

const soon = { timeout: 30_000, interval: 20 };

/** What joins services of one test, as a channel does: who speaks does not hear it. */
function channel() {
  const members = new Set<Set<(message: PeerMessage) => void>>();
  return (): Peers => {
    const own = new Set<(message: PeerMessage) => void>();
    members.add(own);
    return {
      hearing: true,
      tell(message) {
        for (const others of members) if (others !== own) for (const listener of others) listener(message);
      },
      subscribe(listener) {
        own.add(listener);
        return () => own.delete(listener);
      },
    };
  };
}

const postgres = testDialects().find(({ name }) => name === 'postgres');
const missing = postgres?.missing;

describe.skipIf(missing)(`several services on one database${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  let databaseUrl: string | undefined;
  let join: () => Peers;
  const services: TestService[] = [];
  const start = async (name: string, options: Partial<ServiceOptions> = {}) => {
    const service = await startService({
      dataDir: path.join(folder, name),
      databaseUrl,
      peers: join(),
      bootstrapAdmin: { email: adminEmail, password: adminPassword },
      ...options,
    });
    services.push(service);
    return service;
  };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-replicas-'));
    await loadSealer(path.join(folder, 'a'));
    for (const name of ['b', 'c'])
      await cp(path.join(folder, 'a'), path.join(folder, name), { recursive: true });
  });
  beforeEach(async () => {
    databaseUrl = await postgres?.databaseUrl();
    join = channel();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  afterAll(async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('that start at once on an empty one have the same keys and the same administrator', async () => {
    const [first, ...others] = await Promise.all(['a', 'b', 'c'].map((name) => start(name)));
    const token = await first?.signIn();
    const secrets = services.map(({ service }) =>
      service.controlPlane
        .current()
        .flatMap((told) => (told.type === 'snapshot' ? told.snapshot.secrets : [])),
    );
    expect(secrets[0]?.[0]?.challengeKeys).toHaveLength(1);
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
    for (const { call } of others)
      expect((await call('GET', '/api/auth/me', undefined, token)).status).toBe(200);
  });

  it('that wait with a setup token each, or are told a name, make one administrator between them', async () => {
    const waiting = [
      await start('a', { bootstrapAdmin: undefined }),
      await start('b', { bootstrapAdmin: undefined }),
    ];
    const tokens = waiting.map(({ setupLink }) => setupLink?.split('#token=')[1]);
    expect(new Set(tokens).size).toBe(2);
    const gate = await openStorage({ dataDir: path.join(folder, 'gate'), databaseUrl });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: shut, resolve: shutNow } = Promise.withResolvers<void>();
    // Nobody can store a user, but everybody can see that there is none.
    const held = gate.transaction(async (trx) => {
      await sql`lock table users in exclusive mode`.execute(trx);
      shutNow();
      await opened;
    });
    await shut;
    const answers = waiting.map(({ call }, n) =>
      call('POST', '/api/setup', { token: tokens[n], email: `a${n}@example.com`, password: adminPassword }),
    );
    const named = start('c', { bootstrapAdmin: { email: 'c@example.com', password: adminPassword } });
    await vi.waitFor(async () => {
      const locks = sql<{ waiting: number }>`select count(*) as waiting from pg_locks
        where relation = 'users'::regclass and not granted`;
      expect((await locks.execute(gate.db)).rows).toEqual([{ waiting: 3 }]);
    }, soon);
    open();
    await held;
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    await named;
    const users = await gate.db.selectFrom('users').select('email').execute();
    await gate.close();
    expect(users).toHaveLength(1);
    const made = statuses.filter((status) => status === 200).length;
    expect(made).toBe(users[0]?.email === 'c@example.com' ? 0 : 1);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  });

  it('let a reader of the live log move from one to another, who names the gap and has what lies in it', async () => {
    const [one, two] = [await start('a'), await start('b')];
    const token = await one.signIn();
    const headers = { authorization: `Bearer ${token}` };
    const store = async (service: TestService) => {
      const event = securityEvent();
      await service.service.controlPlane.accept(batch({ events: [event] }));
      return event.id;
    };
    const reader = await openStream(`${one.base}/logs/stream`, headers);
    await reader.next('ping');
    const seen = await store(one);
    const { id, data } = await reader.next('log');
    expect(data.id).toBe(seen);
    reader.close();
    const missed = await store(two);
    const again = await openStream(`${two.base}/logs/stream?lastEventId=${id}`, headers);
    await again.next('gap');
    await again.next('ping');
    const since = Date.parse(data.timestamp) - 30_000;
    const { body } = await two.call('GET', `/api/audit?limit=10&since=${since}`, undefined, token);
    expect(body.map((entry: { id: string }) => entry.id)).toEqual(expect.arrayContaining([seen, missed]));
    // From here on it gets what is stored anywhere.
    const later = [await store(two), await store(one)];
    const got: string[] = [];
    while (!later.every((one) => got.includes(one))) got.push((await again.next('log')).data.id);
    again.close();
  });

  it('tell who begins to read what another one stored at that moment', async () => {
    const [one, two] = [await start('a'), await start('b')];
    const headers = { authorization: `Bearer ${await one.signIn()}` };
    const event = securityEvent();
    await one.service.controlPlane.accept(batch({ events: [event] }));
    const reader = await openStream(`${two.base}/logs/stream`, headers);
    while ((await reader.next('log')).data.id !== event.id);
    reader.close();
  });

  it('show the certificate that another one asks for, and do not ask for it as well', async () => {
    let asked = 0;
    const authority = createServer(() => {
      asked += 1;
    });
    authority.listen(0, '127.0.0.1');
    await once(authority, 'listening');
    const { port } = authority.address() as AddressInfo;
    const acme = { directoryUrl: `http://127.0.0.1:${port}/directory` };
    const [one, two] = [await start('a', { acme }), await start('b', { acme })];
    const token = await one.signIn();
    const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    const made = await one.call('POST', '/api/sites', site, token);
    const issue = (service: TestService) =>
      service.call('POST', `/api/sites/${made.body.id}/certificate/issue`, undefined, token);
    const states = async (service: TestService) =>
      (await service.call('GET', '/api/certificates', undefined, token)).body.map(
        ({ state }: { state: string }) => state,
      );
    const first = issue(one);
    await vi.waitFor(async () => expect(await states(two)).toEqual(['pending']), soon);
    await vi.waitFor(() => expect(asked).toBe(1), soon);
    const second = issue(two);
    authority.closeAllConnections();
    authority.close();
    const [ofOne, ofTwo] = await Promise.all([first, second]);
    expect(ofOne.body).toMatchObject({ state: 'failed' });
    expect(ofTwo.body).toEqual(ofOne.body);
    expect(asked).toBe(1);
    for (const service of [one, two]) expect(await states(service)).toEqual(['failed']);
  });

  it('take a code of the second step once between them, and a backup code too', async () => {
    // It stands still, for a code may else be a step old before it arrives.
    const clock = Date.now();
    const now = () => clock;
    const [one, two] = [await start('a', { now }), await start('b', { now })];
    const token = await one.signIn();
    const { secret } = (await one.call('POST', '/api/auth/totp/enroll', undefined, token)).body;
    // A step ahead, which clocks of phones may be, so that the next code is one that was not used yet.
    const codeAt = (ahead: number) => generateSync({ secret, epoch: Math.floor(clock / 1000) + ahead });
    const set = await one.call('POST', '/api/auth/totp/verify', { code: codeAt(-30), secret }, token);
    const signIn = (service: TestService, totpCode: string) =>
      service.call('POST', '/api/auth/login', { email: adminEmail, password: adminPassword, totpCode });
    for (const code of [codeAt(30), set.body.backup_codes[0]]) {
      const answers = await Promise.all([signIn(one, code), signIn(two, code)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect((await signIn(two, code)).status).toBe(401);
    }
  });

  it('end a session everywhere, and its streams, whichever of them was told to', async () => {
    const [one, two] = [await start('a'), await start('b')];
    const admin = await one.signIn();
    const password = 'Another-horse-8!';
    const user = { email: 'ops@example.com', role: 'operator', password };
    const { id } = (await one.call('POST', '/api/users', user, admin)).body;
    const me = (token: string) => two.call('GET', '/api/auth/me', undefined, token);
    const endings: ((token: string) => Promise<unknown>)[] = [
      (token) => one.call('POST', '/api/auth/logout', undefined, token),
      () => one.call('PUT', `/api/users/${id}`, { role: 'viewer' }, admin),
      () => one.call('PUT', `/api/users/${id}`, { password: adminPassword }, admin),
      () => one.call('PUT', `/api/users/${id}`, { disabled: true }, admin),
    ];
    let now = password;
    for (const [turn, end] of endings.entries()) {
      if (turn === 3) now = adminPassword;
      const token = await two.signIn(user.email, now);
      expect((await me(token)).status).toBe(200);
      const reader = await openStream(`${two.base}/logs/stream`, { authorization: `Bearer ${token}` });
      await reader.next('ping');
      await end(token);
      expect([turn, (await me(token)).status]).toEqual([turn, 401]);
      await reader.ended;
    }
  });

  it('go on while a newer version brings the schema forward, lose nothing, and are refused at their next start', async () => {
    const old = await start('a');
    const token = await old.signIn();
    const accept = (service: TestService) =>
      service.service.controlPlane.accept(batch({ events: [securityEvent({ siteId })] }));
    const addSite = (name: string) => {
      const site = { name, domains: [`${name}.example.com`], backend_url: 'http://127.0.0.1:3000' };
      return old.call('POST', '/api/sites', site, token);
    };
    const siteId = (await addSite('before')).body.id;
    await accept(old);
    const { promise: stepped, resolve: step } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const later: StorageMigration = {
      name: '999-later',
      async up({ db }) {
        await db.schema.createTable('of_tomorrow').addColumn('id', 'text').execute();
        for (const table of ['sites', 'users', 'traffic_total', 'event_days'])
          await db.schema.alterTable(table).addColumn('of_tomorrow', 'text').execute();
        hold();
        await stepped;
      },
    };
    const next = { dataDir: path.join(folder, 'b'), databaseUrl, migrations: [...migrations, later] };
    const gate = await openStorage({ ...next, migrations });
    const opening = openStorage(next);
    await held;
    // What the step holds locked is waited for.
    const waiting = [accept(old), addSite('meanwhile')] as const;
    await vi.waitFor(async () => {
      const locks = sql<{ waiting: number }>`select count(*) as waiting from pg_locks where not granted`;
      expect((await locks.execute(gate.db)).rows[0]?.waiting).toBeGreaterThan(1);
    }, soon);
    await gate.close();
    step();
    const storage = await opening;
    expect(await waiting[0]).toEqual({ delivered: true });
    expect((await waiting[1]).status).toBe(200);
    expect(await accept(old)).toEqual({ delivered: true });
    expect((await addSite('after')).status).toBe(200);
    const { body } = await old.call('GET', `/api/audit?siteId=${siteId}`, undefined, await old.signIn());
    const detections = body.filter(({ kind }: AuditEntry) => kind === 'detection');
    expect(detections.map(({ count = 1 }: AuditEntry) => count)).toEqual([1, 1, 1]);
    const names = await storage.read.selectFrom('sites').select('name').orderBy('created_at').execute();
    expect(names.map(({ name }) => name)).toEqual(['before', 'meanwhile', 'after']);
    const days = await storage.read.selectFrom('event_days').select('entries').execute();
    expect(days.reduce((sum, { entries }) => sum + entries, 0)).toBeGreaterThanOrEqual(3);
    await storage.close();
    await old.stop();
    await expect(old.service.start()).rejects.toThrow('written by a newer version');
  });

  it('give up every session of all with the token key', async () => {
    const [one, two] = [await start('a'), await start('b')];
    const [first, second] = [await one.signIn(), await two.signIn()];
    expect((await one.call('POST', '/api/settings/security/rotate-key', undefined, first)).status).toBe(204);
    for (const service of [one, two]) {
      for (const token of [first, second]) {
        expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(401);
      }
    }
    expect((await one.call('GET', '/api/auth/me', undefined, await two.signIn())).status).toBe(200);
  });
});
