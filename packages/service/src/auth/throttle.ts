import type { SecuritySettings } from '@portcullis/contract/settings';
import { sql } from 'kysely';
import { callerNetwork } from '../http/index.ts';
import { hashOfSecret } from '../identity.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';

/**
 * Three counters stand against guessing passwords. The pair of account and address locks first, so that a stranger
 * cannot lock an administrator out from elsewhere; the address bounds one that tries many accounts; the account bounds
 * many addresses that try one. A fourth counts codes of an account, wherever they come from: there are only a million
 * of them, three are right at a time, and who may guess knows the password already.
 */
const factors = { pair: 1, address: 4, account: 20, code: 1 } as const;
export type Asked = 'password' | 'code';

/**
 * No setting locks for longer than an hour, and the clocks of two services may be five minutes apart: what lies further
 * ahead was written while the clock was wrong.
 */
const longestLockMs = 3_600_000 + 5 * 60_000;

/** How long an address is known from which the account signed in. */
const knownMs = 30 * 86_400_000;

interface Counter {
  readonly key: string;
  readonly limit: number;
}

/** Accounts are kept hashed: what is typed in the wrong field is often a password. */
const accountOf = (email: string) => hashOfSecret(email.toLowerCase()).slice(0, 32);
const keysOf = (email: string, ip: string) => {
  const account = accountOf(email);
  const network = callerNetwork(ip);
  return {
    pair: `pair:${account}:${network}`,
    address: `address:${network}`,
    account: `account:${account}`,
    code: `code:${account}`,
    known: `known:${account}:${network}`,
  };
};

function countersFor(email: string, ip: string, maxAttempts: number, asked: Asked): Counter[] {
  const keys = keysOf(email, ip);
  const names = ['pair', 'address', 'account', ...(asked === 'code' ? (['code'] as const) : [])] as const;
  return names.map((name) => ({ key: keys[name], limit: maxAttempts * factors[name] }));
}

/** How long a lock still holds. */
function lockLeftMs({ locked_until }: { readonly locked_until: number | null }, now: number): number {
  const left = (locked_until ?? 0) - now;
  return left > 0 && left <= longestLockMs ? left : 0;
}

/**
 * @param asked codes are locked by themselves, for who knows the password alone
 * @returns seconds until another attempt is allowed; 0 when it is now
 */
export async function lockedSeconds(
  db: Db,
  email: string,
  ip: string,
  now: number,
  asked: Asked = 'password',
): Promise<number> {
  const keys = keysOf(email, ip);
  const asks = asked === 'code' ? [keys.code] : [keys.pair, keys.address, keys.account, keys.known];
  const rows = await db
    .selectFrom('login_attempts')
    .select(['key', 'first_at', 'locked_until'])
    .where('key', 'in', asks)
    .execute();
  // Strangers who try one account from many addresses must not keep its owner out where the owner always is.
  const isKnown = rows.some(({ key, first_at }) => key === keys.known && first_at + knownMs > now);
  const locks = rows
    .filter(({ key }) => !(isKnown && key === keys.account))
    .map((row) => lockLeftMs(row, now));
  return Math.ceil(Math.max(0, ...locks) / 1000);
}

async function countOne(
  trx: Trx,
  { key, limit }: Counter,
  settings: SecuritySettings,
  now: number,
): Promise<boolean> {
  const windowMs = settings.lockoutDuration * 1000;
  const stored = await trx
    .insertInto('login_attempts')
    .values({ key, failures: 1, first_at: now, locked_until: null })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ failures: eb('login_attempts.failures', '+', 1) })),
    )
    .returning(['failures', 'first_at', 'locked_until'])
    .executeTakeFirstOrThrow();
  // Begun while the clock was ahead it would else last until that is caught up with.
  const stale = stored.first_at + windowMs <= now || stored.first_at > now + longestLockMs;
  const failures = stale ? 1 : stored.failures;
  const locked = failures >= limit;
  // It may have been locked at the end of the time that was counted.
  const before = lockLeftMs(stored, now) > 0 ? stored.locked_until : null;
  await trx
    .updateTable('login_attempts')
    .set({
      failures,
      ...(stale && { first_at: now }),
      locked_until: locked ? now + windowMs : before,
    })
    .where('key', '=', key)
    .execute();
  return locked;
}

/** Counts a failed attempt. @returns whether it locked anything */
export async function countFailure(
  storage: Storage,
  email: string,
  ip: string,
  settings: SecuritySettings,
  now: number,
  asked: Asked = 'password',
): Promise<boolean> {
  return storage.transaction(async (trx) => {
    let locked = false;
    for (const counter of countersFor(email, ip, settings.maxLoginAttempts, asked)) {
      if (await countOne(trx, counter, settings, now)) locked = true;
    }
    return locked;
  });
}

/**
 * What was right forgives this account from this address; the address's own count stays.
 * @param asked a right password says nothing of the codes, which who knows it may be guessing
 */
export async function forgive(db: Db | Trx, email: string, ip: string, asked: Asked): Promise<void> {
  const { pair, code } = keysOf(email, ip);
  const forgiven = asked === 'code' ? [pair, code] : [pair];
  await db.deleteFrom('login_attempts').where('key', 'in', forgiven).execute();
}

/** Knows an address from which the account signed in. */
export async function rememberAddress(db: Db | Trx, email: string, ip: string, now: number): Promise<void> {
  await db
    .insertInto('login_attempts')
    .values({ key: keysOf(email, ip).known, failures: 0, first_at: now, locked_until: null })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ first_at: now }))
    .execute();
}

/** Forgets counters that can no longer lock anything, and addresses that were not used for long. */
export async function sweepAttempts(db: Db, settings: SecuritySettings, now: number): Promise<void> {
  const isKnown = sql<boolean>`key like 'known:%'`;
  await db
    .deleteFrom('login_attempts')
    .where(isKnown)
    .where('first_at', '<', now - knownMs)
    .execute();
  await db
    .deleteFrom('login_attempts')
    .where((eb) => eb.not(isKnown))
    .where('first_at', '<', now - settings.lockoutDuration * 1000)
    .where((eb) =>
      eb.or([
        eb('locked_until', 'is', null),
        eb('locked_until', '<', now),
        eb('locked_until', '>', now + longestLockMs),
      ]),
    )
    .execute();
}
