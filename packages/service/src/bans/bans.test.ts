import { afterAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { createBans } from './bans.ts';
import { bansInForce, countBanned, insertBans } from './repository.ts';
import { oneForEach } from './routes.ts';

const now = () => 1_000_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const ban = (id: string) => ({
  ...{ id, address: `203.0.113.${id}`, clientIp: `203.0.113.${id}` },
  ...{ reason: 'Blocked too often', since: now(), until: now() + 60_000 },
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`bans of all gateways on ${dialect.name}${why}`, () => {
    afterAll(() => dialect.stop());

    it('are read once more at most for whatever is told while they are read', async () => {
      const storage = await dialect.open();
      let reads = 0;
      const told: string[] = [];
      const current = () => {
        reads += 1;
        return { security: { blockSuspiciousIPs: true } };
      };
      const bans = createBans({
        ...{ storage, log: silent, now },
        configuration: { current, subscribe: () => () => {} } as never,
        intake: { subscribeToBans: () => {} },
        onChange: (directive) => {
          if (directive.type === 'bans') told.push(...directive.began.map(({ id }) => id));
        },
      });
      await storage.transaction((trx) => insertBans(trx, [ban('1')], now()));
      const first = bans.look();
      await storage.transaction((trx) => insertBans(trx, [ban('2')], now()));
      await Promise.all([first, ...Array.from({ length: 100 }, () => bans.look())]);
      expect(told.sort()).toEqual(['1', '2']);
      expect(reads).toBeLessThanOrEqual(2);
      await storage.close();
    });

    it('are one to whoever reads them, however many gateways banned the same client', async () => {
      const storage = await dialect.open();
      const again = { ...ban('1'), id: '3', until: now() + 90_000 };
      await storage.transaction((trx) => insertBans(trx, [ban('1'), ban('2'), again], now()));
      const listed = oneForEach(await bansInForce(storage.read, now(), 10));
      expect(listed.map(({ id }) => id).sort()).toEqual(['2', '3']);
      expect(await countBanned(storage.read, now())).toBe(2);
      await storage.close();
    });
  });
}
