import { SecuritySettings } from '@portcullis/contract/settings';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { countFailure, forgive, lockedSeconds, sweepAttempts } from './throttle.ts';

const settings = SecuritySettings.parse({});
const email = 'admin@example.com';

for (const dialect of testDialects()) {
  const title = `the throttle on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    beforeEach(async () => {
      storage = await dialect.open();
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());
    const fail = async (times: number, ip: string, account = email) => {
      for (let count = 0; count < times; count++) await countFailure(storage, account, ip, settings, 1000);
    };
    const locked = (ip: string, account = email, now = 1000) =>
      lockedSeconds(storage.db, account, ip, settings, now);

    it('does not let a stranger lock the account out from elsewhere', async () => {
      await fail(5, '192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(900);
      expect(await locked('192.0.2.2')).toBe(0);
    });

    it('bounds one address that tries many accounts', async () => {
      for (let account = 0; account < 20; account++) await fail(1, '192.0.2.1', `user${account}@example.com`);
      expect(await locked('192.0.2.1', 'another@example.com')).toBe(900);
    });

    it('bounds many addresses that try one account', async () => {
      for (let address = 0; address < 100; address++) await fail(1, `192.0.2.${address}`);
      expect(await locked('198.51.100.1')).toBe(900);
    });

    it('forgives the pair and not the address when the sign-in succeeds', async () => {
      await fail(4, '192.0.2.1');
      await forgive(storage.db, email, '192.0.2.1');
      await fail(4, '192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(0);
    });

    it('starts to count anew after the lockout, and forgets what cannot lock any more', async () => {
      await fail(4, '192.0.2.1');
      await countFailure(storage, email, '192.0.2.1', settings, 1000 + 900_000);
      expect(await locked('192.0.2.1', email, 1000 + 900_000)).toBe(0);
      await sweepAttempts(storage.db, settings, 1000 + 2 * 900_001);
      expect(await storage.db.selectFrom('login_attempts').selectAll().execute()).toEqual([]);
    });
  });
}
