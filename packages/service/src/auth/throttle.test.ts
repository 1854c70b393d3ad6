import { SecuritySettings } from '@portcullis/contract/settings';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { countFailure, forgive, lockedSeconds, rememberAddress, sweepAttempts } from './throttle.ts';

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
    const locked = (ip: string, account = email, now = 1000) => lockedSeconds(storage.db, account, ip, now);

    it('does not let a stranger lock the account out from elsewhere', async () => {
      await fail(5, '192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(900);
      expect(await locked('192.0.2.2')).toBe(0);
    });

    it('bounds one address that tries many accounts', async () => {
      for (let account = 0; account < 20; account++) await fail(1, '192.0.2.1', `user${account}@example.com`);
      expect(await locked('192.0.2.1', 'another@example.com')).toBe(900);
    });

    it('knows one line by the 64 bits of its IPv6 network, and an IPv4 address however it is written', async () => {
      for (let host = 1; host <= 5; host++) await fail(1, `2001:db8:1:2::${host}`);
      expect(await locked('2001:db8:1:2:ffff::1')).toBe(900);
      expect(await locked('2001:db8:1:3::1')).toBe(0);
      await fail(5, '::ffff:192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(900);
    });

    it('does not let strangers from everywhere keep the owner out where the owner has signed in', async () => {
      await rememberAddress(storage.db, email, '2001:db8:7::1', 1000);
      for (let address = 0; address < 100; address++) await fail(1, `192.0.2.${address}`);
      expect([await locked('198.51.100.1'), await locked('2001:db8:7::2')]).toEqual([900, 0]);
      await fail(5, '2001:db8:7::3');
      expect(await locked('2001:db8:7::2')).toBe(900);
      await sweepAttempts(storage.db, settings, 1000 + 1_000_000);
      expect(await storage.db.selectFrom('login_attempts').selectAll().execute()).toHaveLength(1);
    });

    it('counts codes of an account from all addresses together, and locks codes alone', async () => {
      const wrongCode = (ip: string) => countFailure(storage, email, ip, settings, 1000, 'code');
      const codes = (ip: string) => lockedSeconds(storage.db, email, ip, 1000, 'code');
      for (let host = 1; host < 5; host++) expect(await wrongCode(`192.0.2.${host}`)).toBe(false);
      expect(await codes('198.51.100.1')).toBe(0);
      expect(await wrongCode('192.0.2.5')).toBe(true);
      expect([await codes('198.51.100.1'), await locked('198.51.100.1')]).toEqual([900, 0]);
    });

    it('forgives codes for a right code, and not for a right password', async () => {
      const codes = () => lockedSeconds(storage.db, email, '192.0.2.1', 1000, 'code');
      for (let count = 0; count < 5; count++)
        await countFailure(storage, email, '192.0.2.1', settings, 1000, 'code');
      await forgive(storage.db, email, '192.0.2.1', 'password');
      expect([await codes(), await locked('192.0.2.1')]).toEqual([900, 0]);
      await forgive(storage.db, email, '192.0.2.1', 'code');
      expect(await codes()).toBe(0);
    });

    it('keeps a lock that runs when its count is over and one more failure comes', async () => {
      await fail(4, '192.0.2.1');
      await countFailure(storage, email, '192.0.2.1', settings, 1000 + 890_000);
      await countFailure(storage, email, '192.0.2.1', settings, 1000 + 910_000);
      expect(await locked('192.0.2.1', email, 1000 + 910_000)).toBe(880);
    });

    it('holds to the longest lock that a service set whose clock is a little ahead', async () => {
      const longest = SecuritySettings.parse({ lockoutDuration: 3600 });
      for (let count = 0; count < 5; count++)
        await countFailure(storage, email, '192.0.2.1', longest, 1000 + 60_000);
      expect(await locked('192.0.2.1')).toBe(3660);
    });

    it('is not held to a lock that was written while the clock was a day ahead', async () => {
      const ahead = 1000 + 86_400_000;
      for (let count = 0; count < 5; count++)
        await countFailure(storage, email, '192.0.2.1', settings, ahead);
      expect(await locked('192.0.2.1', email, ahead)).toBe(900);
      expect(await locked('192.0.2.1')).toBe(0);
    });

    it('counts anew what was counted while the clock was a day ahead', async () => {
      for (let count = 0; count < 4; count++)
        await countFailure(storage, email, '192.0.2.1', settings, 1000 + 86_400_000);
      await fail(4, '192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(0);
      await fail(1, '192.0.2.1');
      expect(await locked('192.0.2.1')).toBe(900);
    });

    it('bounds many addresses that try one account', async () => {
      for (let address = 0; address < 100; address++) await fail(1, `192.0.2.${address}`);
      expect(await locked('198.51.100.1')).toBe(900);
    });

    it('forgives the pair and not the address when the sign-in succeeds', async () => {
      await fail(4, '192.0.2.1');
      await forgive(storage.db, email, '192.0.2.1', 'password');
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
