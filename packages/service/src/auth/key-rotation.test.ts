import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog, newestRecords } from '../audit/index.ts';
import { loadSealer } from '../sealing/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { insertUser } from '../users/index.ts';
import { replaceTokenKey } from './key-rotation.ts';
import { loadTokenSigner, type TokenSigner } from './tokens.ts';

const killedRotation = path.join(import.meta.dirname, 'testing', 'killed-rotation.ts');
const author = { email: 'ada@example.com', ip: '127.0.0.1' };

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`a new token key on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let signer: TokenSigner;
    let token: string;
    const load = async () => loadTokenSigner(storage, await loadSealer(storage.dataDir), Date.now);
    const sessions = async () => (await storage.db.selectFrom('sessions').select('id').execute()).length;
    const rotate = () =>
      storage.transaction((trx) =>
        replaceTokenKey(trx, { signer, audit: createAuditLog(storage, Date.now) }, author),
      );

    beforeEach(async () => {
      storage = await dialect.open();
      signer = await load();
      const user = await storage.transaction((trx) =>
        insertUser(trx, { email: author.email, role: 'admin', passwordHash: '' }, 1),
      );
      await storage.db
        .insertInto('sessions')
        .values({
          id: 'sess_1',
          user_id: user.id,
          created_at: 1,
          last_seen_at: 1,
          expires_at: 2,
          ip: '',
          user_agent: '',
        })
        .execute();
      token = await signer.sign({ userId: user.id, sessionId: 'sess_1' }, Date.now() + 60_000);
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('is there with every session ended and told of, and counts once the transaction stands', async () => {
      const done = await rotate();
      expect(await signer.verify(token)).toBeDefined();
      done();
      expect(await signer.verify(token)).toBeUndefined();
      expect(await (await load()).verify(token)).toBeUndefined();
      expect(await sessions()).toBe(0);
      expect(await newestRecords(storage.read, { limit: 9 })).toMatchObject([
        { action: 'settings.token_key_rotated', actor: author.email },
      ]);
    });

    it('is not there at all where its last statement fails', async () => {
      await sql`alter table admin_audit rename to elsewhere`.execute(storage.db);
      await expect(rotate()).rejects.toThrow();
      expect(await sessions()).toBe(1);
      expect(await signer.verify(token)).toBeDefined();
      expect(await (await load()).verify(token)).toBeDefined();
    });

    it('is not there at all where the process was killed before the end', async () => {
      const where = [storage.dataDir, ...(storage.databaseUrl === undefined ? [] : [storage.databaseUrl])];
      const child = spawn(process.execPath, [killedRotation, ...where], { stdio: 'inherit' });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
      expect(await sessions()).toBe(1);
      expect(await (await load()).verify(token)).toBeDefined();
      expect(await newestRecords(storage.read, { limit: 9 })).toEqual([]);
    });
  });
}
