import { randomBytes } from 'node:crypto';
import type { GatewaySecrets } from '@portcullis/contract/link';
import { z } from 'zod';
import type { ConfigurationWork } from '../configuration/index.ts';
import { success } from '../outcome.ts';
import type { Sealer } from '../sealing/index.ts';
import { insertSetting, readSetting, writeSetting } from '../settings/index.ts';
import type { Db, Trx } from '../storage/index.ts';

const settingKey = 'gateway_secrets';
const purpose = 'gateway-secrets';

/** A new key every day. */
export const rotateAfterMs = 86_400_000;
/** Passes last a day at most, so the key before the newest verifies all that are out there. */
const keptKeys = 3;

const Stored = z.object({
  challengeKeys: z.array(z.object({ id: z.string(), secret: z.string() })).min(1),
  ticketKey: z.string(),
  rotatedAt: z.number(),
});
type Stored = z.infer<typeof Stored>;

/**
 * What gateways share: keys for challenge passes and TLS session tickets. Stored sealed.
 * @returns empty where none were made yet, or where the sealing key is another one: each gateway then makes its own
 */
export async function readGatewaySecrets(db: Db | Trx, sealer: Sealer): Promise<GatewaySecrets> {
  const stored = await read(db, sealer);
  return stored
    ? { challengeKeys: stored.challengeKeys, ticketKey: stored.ticketKey }
    : { challengeKeys: [] };
}

/**
 * Makes the keys of a new installation, where no other service was faster. To be called before the first snapshot is
 * read.
 */
export async function ensureGatewaySecrets(db: Db, sealer: Sealer, now: number): Promise<void> {
  const sealed = await insertSetting(db, settingKey, sealedOf(sealer, rotated(undefined, now)), now);
  if (sealer.open(sealed, purpose) === undefined) await write(db, sealer, rotated(undefined, now));
}

/** @returns whether the newest key is due to be followed by another, also where it was made by a clock that was ahead */
export async function rotationIsDue(db: Db, sealer: Sealer, now: number): Promise<boolean> {
  const stored = await read(db, sealer);
  return stored === undefined || Math.abs(now - stored.rotatedAt) >= rotateAfterMs;
}

/** Puts a new key before the ones in use and forgets the oldest. */
export const rotation =
  (sealer: Sealer): ConfigurationWork<void> =>
  async (trx, now) => {
    await write(trx, sealer, rotated(await read(trx, sealer), now));
    return success({
      value: undefined,
      action: 'gateways.rotate_keys',
      reason: 'The keys that gateways share were renewed',
      changes: [],
    });
  };

function rotated(before: Stored | undefined, now: number): Stored {
  const newest = { id: now.toString(36), secret: randomBytes(32).toString('base64') };
  return {
    challengeKeys: [newest, ...(before?.challengeKeys ?? [])].slice(0, keptKeys),
    ticketKey: randomBytes(48).toString('base64'),
    rotatedAt: now,
  };
}

async function read(db: Db | Trx, sealer: Sealer): Promise<Stored | undefined> {
  const sealed = await readSetting(db, settingKey);
  const text = sealed === undefined ? undefined : sealer.open(sealed, purpose);
  return text === undefined ? undefined : Stored.parse(JSON.parse(text));
}

const sealedOf = (sealer: Sealer, stored: Stored) => sealer.seal(JSON.stringify(stored), purpose);

const write = (db: Db | Trx, sealer: Sealer, stored: Stored) =>
  writeSetting(db, settingKey, sealedOf(sealer, stored), stored.rotatedAt);
