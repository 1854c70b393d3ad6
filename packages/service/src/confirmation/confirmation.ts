import type { AuditLog } from '../audit/index.ts';
import { countFailure, forgive, lockedSeconds, Turnstile } from '../auth/index.ts';
import { type Failure, failure } from '../outcome.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';

/** Whoever is asked for the password or a code again, although signed in. */
export interface Asked {
  readonly userId: string;
  readonly email: string;
  readonly ip: string;
}

/**
 * Asks a signed-in user for the password or a code again. Who took over a session must not be able to guess them, so
 * failures are throttled like those of a sign-in.
 */
export interface Confirmation {
  /**
   * @param wrong the refusal of a wrong answer
   * @param check whether the answer is right; not run while the user is locked
   * @returns why not, or undefined where the answer was right
   */
  ask(
    asked: Asked,
    wrong: 'wrong_password' | 'wrong_code',
    check: () => Promise<boolean>,
  ): Promise<Failure | undefined>;
}

export interface ConfirmationParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  readonly now: () => number;
}

/** @see Confirmation */
export function createConfirmation({ storage, audit, now }: ConfirmationParts): Confirmation {
  const turnstile = new Turnstile();
  const askOne: Confirmation['ask'] = async ({ userId, email, ip }, wrong, check) => {
    const account = `confirm:${userId}`;
    const asked = wrong === 'wrong_code' ? 'code' : 'password';
    const locks = [await lockedSeconds(storage.db, account, ip, now())];
    if (asked === 'code') locks.push(await lockedSeconds(storage.db, account, ip, now(), asked));
    const seconds = Math.max(...locks);
    if (seconds > 0) return failure('account_locked', { retryAfterSeconds: seconds });
    if (await check()) {
      await forgive(storage.db, account, ip, asked);
      return undefined;
    }
    const settings = await readSettings(storage.read, 'security');
    await countFailure(storage, account, ip, settings, now(), asked);
    const what = wrong === 'wrong_password' ? 'password' : '2FA code';
    await audit.write({
      action: 'auth.confirmation_failed',
      level: 'warning',
      message: `${email} gave a wrong ${what} while signed in`,
      actor: email,
      ip,
      target: userId,
    });
    return failure(wrong);
  };
  return {
    async ask(asked, wrong, check) {
      // One at a time, or guesses sent at once would all pass before the first is counted.
      const refused = turnstile.pass(asked.userId, async () => ({
        failure: await askOne(asked, wrong, check),
      }));
      const answer = await refused;
      return answer ? answer.failure : failure('too_many_requests', { retryAfterSeconds: 5 });
    },
  };
}
