import type { SecuritySettings } from '@portcullis/contract/settings';
import { hashOfSecret } from '../identity.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';

/**
 * Three counters stand against guessing. The pair of account and address locks first, so that a stranger cannot
 * lock an administrator out from elsewhere; the address bounds one that tries many accounts; the account bounds
 * many addresses that try one.
 */
const factors = { pair: 1, address: 4, account: 20 } as const;

interface Counter {
  readonly key: string;
  readonly limit: number;
}

/** Accounts are kept hashed: what is typed in the wrong field is often a password. */
function countersFor(email: string, ip: string, maxAttempts: number): Counter[] {
  const account = hashOfSecret(email.toLowerCase()).slice(0, 32);
  return [
    { key: `pair:${account}:${ip}`, limit: maxAttempts * factors.pair },
    { key: `address:${ip}`, limit: maxAttempts * factors.address },
    { key: `account:${account}`, limit: maxAttempts * factors.account },
  ];
}

/** @returns seconds until another attempt is allowed; 0 when it is now */
export async function lockedSeconds(
  db: Db,
  email: string,
  ip: string,
  settings: SecuritySettings,
  now: number,
): Promise<number> {
  const keys = countersFor(email, ip, settings.maxLoginAttempts).map((counter) => counter.key);
  const rows = await db
    .selectFrom('login_attempts')
    .select('locked_until')
    .where('key', 'in', keys)
    .execute();
  const until = Math.max(0, ...rows.map((row) => row.locked_until ?? 0));
  return until > now ? Math.ceil((until - now) / 1000) : 0;
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
    .returning(['failures', 'first_at'])
    .executeTakeFirstOrThrow();
  const stale = stored.first_at + windowMs <= now;
  const failures = stale ? 1 : stored.failures;
  const locked = failures >= limit;
  await trx
    .updateTable('login_attempts')
    .set({
      failures,
      ...(stale && { first_at: now }),
      locked_until: locked ? now + windowMs : null,
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
): Promise<boolean> {
  return storage.transaction(async (trx) => {
    let locked = false;
    for (const counter of countersFor(email, ip, settings.maxLoginAttempts)) {
      if (await countOne(trx, counter, settings, now)) locked = true;
    }
    return locked;
  });
}

/** A sign-in that succeeded forgives this account from this address; the address's own count stays. */
export async function forgive(db: Db | Trx, email: string, ip: string): Promise<void> {
  const pair = countersFor(email, ip, 1)[0]?.key ?? '';
  await db.deleteFrom('login_attempts').where('key', '=', pair).execute();
}

/** Forgets counters that can no longer lock anything. */
export async function sweepAttempts(db: Db, settings: SecuritySettings, now: number): Promise<void> {
  const oldest = now - settings.lockoutDuration * 1000;
  await db
    .deleteFrom('login_attempts')
    .where('first_at', '<', oldest)
    .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', now)]))
    .execute();
}
