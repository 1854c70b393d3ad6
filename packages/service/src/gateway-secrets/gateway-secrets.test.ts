import { afterAll, describe, expect, it } from 'vitest';
import { sealerOf } from '../sealing/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { ensureGatewaySecrets, readGatewaySecrets, rotateAfterMs, rotation, rotationIsDue } from './index.ts';

const sealer = sealerOf(new Uint8Array(32));

for (const dialect of testDialects()) {
  const title = `what gateways share on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    afterAll(() => dialect.stop());

    it('is made once, and renewed each day with the keys before it still there', async () => {
      const storage = await dialect.open();
      expect(await readGatewaySecrets(storage.read, sealer)).toEqual({ challengeKeys: [] });
      await ensureGatewaySecrets(storage.db, sealer, 0);
      const first = await readGatewaySecrets(storage.read, sealer);
      await ensureGatewaySecrets(storage.db, sealer, 5);
      expect(await readGatewaySecrets(storage.read, sealer)).toEqual(first);
      expect(Buffer.from(first.ticketKey ?? '', 'base64')).toHaveLength(48);
      expect(await rotationIsDue(storage.db, sealer, rotateAfterMs - 1)).toBe(false);
      expect(await rotationIsDue(storage.db, sealer, rotateAfterMs)).toBe(true);
      // Made by a clock that was ahead.
      expect(await rotationIsDue(storage.db, sealer, -rotateAfterMs)).toBe(true);
      for (let day = 1; day <= 5; day++) {
        const before = await readGatewaySecrets(storage.read, sealer);
        await storage.transaction((trx) => rotation(sealer)(trx, day * rotateAfterMs));
        const after = await readGatewaySecrets(storage.read, sealer);
        expect(after.challengeKeys.slice(1)).toEqual(before.challengeKeys.slice(0, 2));
        expect(after.ticketKey).not.toBe(before.ticketKey);
      }
      await storage.close();
    });

    it('is the same for services that start at once', async () => {
      const storage = await dialect.open();
      const made = [1, 2, 3].map(async (now) => {
        await ensureGatewaySecrets(storage.db, sealer, now);
        return readGatewaySecrets(storage.read, sealer);
      });
      const [first, ...others] = await Promise.all(made);
      expect(first?.challengeKeys).toHaveLength(1);
      expect(others).toEqual([first, first]);
      await storage.close();
    });

    it('is worth nothing without the key file', async () => {
      const storage = await dialect.open();
      await ensureGatewaySecrets(storage.db, sealer, 0);
      const other = sealerOf(new Uint8Array(32).fill(1));
      expect(await readGatewaySecrets(storage.read, other)).toEqual({ challengeKeys: [] });
      await storage.close();
    });
  });
}
