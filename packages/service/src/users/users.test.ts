import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog, firstBrokenLink, newestRecords } from '../audit/index.ts';
import { verifyPassword } from '../passwords/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { type Caller, changeUser, createUser, removeUser, type UserParts } from './changes.ts';
import { permissionsOf, presentUser } from './present.ts';
import { findUser, findUserByEmail, insertUser, listUsers, type StoredUser } from './repository.ts';

const now = 1_790_000_000_000;
const password = 'Correct1!horse';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`users on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let parts: UserParts;
    let ended: number;
    let root: StoredUser;
    let caller: Caller;

    const add = (email: string, role: string) =>
      storage.transaction((trx) => insertUser(trx, { email, role, passwordHash: 'none' }, now));
    const callerOf = ({ id, email, role }: StoredUser, sessionId?: string): Caller => ({
      actor: { userId: id, email, role, permissions: permissionsOf(role), ...(sessionId && { sessionId }) },
      ip: '127.0.0.1',
    });
    const openSession = (id: string, userId: string) =>
      storage.db
        .insertInto('sessions')
        .values({
          id,
          user_id: userId,
          created_at: now,
          last_seen_at: now,
          expires_at: now + 1000,
          ip: '',
          user_agent: '',
        })
        .execute();
    const sessions = async () =>
      (await storage.db.selectFrom('sessions').select('id').orderBy('id').execute()).map(({ id }) => id);

    beforeEach(async () => {
      storage = await dialect.open();
      ended = 0;
      parts = {
        storage,
        audit: createAuditLog(storage, () => now),
        now: () => now,
        sessionsEnded: () => {
          ended += 1;
        },
      };
      root = await add('root@example.com', 'admin');
      caller = callerOf(root);
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('are created with a hashed password and an audit entry that holds none of it', async () => {
      const request = { email: 'new@example.com', role: 'operator', password } as const;
      const created = await createUser(parts, caller, request);
      expect(created.ok).toBe(true);
      const row = await findUserByEmail(storage.read, 'NEW@example.com');
      expect(await verifyPassword(row?.password_hash, password)).toBe(true);
      const [record] = await newestRecords(storage.read, { limit: 1 });
      expect(record).toMatchObject({ action: 'user.create', actor: 'root@example.com', target: row?.id });
      expect(JSON.stringify(record)).not.toContain(password);
      expect(await firstBrokenLink(storage.read)).toBeUndefined();
    });

    it('cannot share an email, and the refusal names the field', async () => {
      const request = { email: 'root@example.com', role: 'viewer', password } as const;
      const twice = await createUser(parts, caller, request);
      expect(twice).toMatchObject({ code: 'email_taken', issues: [{ path: 'email' }] });
      const other = await add('other@example.com', 'viewer');
      const moved = await changeUser(parts, caller, other.id, { email: 'root@example.com' });
      expect(moved).toMatchObject({ code: 'email_taken' });
      expect(await newestRecords(storage.read, { limit: 9 })).toEqual([]);
    });

    it('need a password that the stored policy takes', async () => {
      const weak = await createUser(parts, caller, { email: 'a@b.co', role: 'viewer', password: 'weak' });
      expect(weak).toMatchObject({ code: 'password_too_weak' });
      const value = JSON.stringify({
        minPasswordLength: 6,
        requireNumbers: false,
        requireUppercase: false,
        requireSpecialChars: false,
      });
      await storage.db.insertInto('settings').values({ key: 'security', value, updated_at: now }).execute();
      const taken = await createUser(parts, caller, { email: 'a@b.co', role: 'viewer', password: 'weakly' });
      expect(taken.ok).toBe(true);
    });

    it('keep their password and sessions where a change leaves it blank', async () => {
      const user = await add('u@example.com', 'viewer');
      await openSession('s1', user.id);
      const changed = await changeUser(parts, caller, user.id, { email: 'v@example.com', password: '' });
      expect(changed).toMatchObject({ ok: true, value: { email: 'v@example.com', password_hash: 'none' } });
      expect(await sessions()).toEqual(['s1']);
    });

    it.each([[{ role: 'operator' }], [{ password: 'Another1!pass' }], [{ disabled: true }]] as const)(
      'lose their sessions by %o',
      async (change) => {
        const user = await add('u@example.com', 'viewer');
        await openSession('s1', user.id);
        await openSession('root', root.id);
        expect((await changeUser(parts, caller, user.id, change)).ok).toBe(true);
        expect(await sessions()).toEqual(['root']);
        expect(ended).toBe(1);
      },
    );

    it('change their own email and password nowhere but where the present password is asked for', async () => {
      for (const [change, path] of [
        [{ password: 'Another1!pass' }, 'email'],
        [{ email: 'mine@example.com' }, 'password'],
      ] as const) {
        const refused = await changeUser(parts, caller, root.id, { ...change, role: 'viewer' });
        expect(refused).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('/api/auth/profile'),
        });
        expect(refused).not.toMatchObject({ issues: [{ path }] });
      }
      expect(await findUser(storage.read, root.id)).toEqual(root);
      const kept = { email: root.email, password: '', role: 'admin' } as const;
      expect(await changeUser(parts, caller, root.id, kept)).toMatchObject({ ok: true });
    });

    it('have a version, and a change of a stale one says who was before and what they changed', async () => {
      const { id, updated_at: version } = await add('shared@example.com', 'viewer');
      const other = callerOf(await add('other@example.com', 'admin'));
      const first = await changeUser(parts, other, id, { role: 'operator', version });
      expect(first.ok && presentUser(first.value).version).toBeGreaterThan(version);
      await changeUser(parts, other, id, { password });
      const failed = {
        action: 'auth.login_failed',
        level: 'warning',
        message: '',
        actor: '',
        ip: '',
      } as const;
      for (let signIn = 0; signIn < 25; signIn++) await parts.audit.write({ ...failed, target: id });
      const stored = await findUser(storage.read, id);
      const stale = await changeUser(parts, caller, id, { disabled: true, version });
      expect(stale).toMatchObject({
        code: 'version_conflict',
        message: expect.stringContaining('other@example.com changed password, role in the meantime'),
        issues: [{ path: 'version' }, { path: 'password' }, { path: 'role' }],
      });
      expect(await findUser(storage.read, id)).toEqual(stored);
      expect((await changeUser(parts, caller, id, { disabled: true })).ok).toBe(true);
    });

    it('never lose their last administrator', async () => {
      await add('op@example.com', 'operator');
      const idle = await add('idle@example.com', 'admin');
      await changeUser(parts, caller, idle.id, { disabled: true });
      for (const change of [{ role: 'viewer' }, { disabled: true }] as const) {
        expect(await changeUser(parts, caller, root.id, change)).toMatchObject({ code: 'last_admin' });
      }
      expect(await removeUser(parts, callerOf(idle), root.id)).toMatchObject({ code: 'last_admin' });
      expect(await findUser(storage.read, root.id)).toMatchObject({ role: 'admin', disabled: 0 });
    });

    it('keep one administrator when two take each other away at once', async () => {
      const second = await add('second@example.com', 'admin');
      const outcomes = await Promise.all([
        changeUser(parts, caller, second.id, { role: 'viewer' }),
        changeUser(parts, callerOf(second), root.id, { role: 'viewer' }),
      ]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      const admins = (await listUsers(storage.read)).filter(({ role }) => role === 'admin');
      expect(admins).toHaveLength(1);
    });

    it('who may do more than an API token are not made, changed or deleted by it', async () => {
      const viewer = await add('u@example.com', 'viewer');
      const actor = { ...caller.actor, permissions: [...permissionsOf('viewer'), 'user:update'] as const };
      const token: Caller = { ...caller, actor };
      const made = await createUser(parts, token, { email: 'e@example.com', role: 'admin', password });
      expect(made).toMatchObject({ code: 'forbidden' });
      for (const [id, change] of [
        [root.id, { password }],
        [root.id, { email: 'mine@example.com' }],
        [viewer.id, { role: 'operator' }],
      ] as const) {
        expect(await changeUser(parts, token, id, change)).toMatchObject({ code: 'forbidden' });
      }
      expect(await removeUser(parts, token, root.id)).toMatchObject({ code: 'forbidden' });
      expect(await changeUser(parts, token, viewer.id, { disabled: true })).toMatchObject({ ok: true });
      expect(await newestRecords(storage.read, { limit: 9 })).toHaveLength(1);
    });

    it('can be deleted by others, never by themselves', async () => {
      const user = await add('u@example.com', 'admin');
      await openSession('s1', user.id);
      expect(await removeUser(parts, callerOf(user), user.id)).toMatchObject({ code: 'cannot_delete_self' });
      expect((await removeUser(parts, caller, user.id)).ok).toBe(true);
      expect(await sessions()).toEqual([]);
      expect(await removeUser(parts, caller, user.id)).toMatchObject({ code: 'not_found' });
    });

    it('are shown without hash, seed or codes', async () => {
      const shown = presentUser({ ...root, totp_secret: 'sealed', password_hash: 'hash' });
      expect(shown).toMatchObject({
        totp_enabled: true,
        totpEnabled: true,
        disabled: false,
        last_login: null,
      });
      expect(JSON.stringify(shown)).not.toMatch(/sealed|hash/);
      expect(presentUser({ ...root, role: 'emperor' }).permissions).toEqual([]);
    });
  });
}
