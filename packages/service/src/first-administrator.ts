import { issueSetupToken } from './auth/index.ts';
import type { Parts } from './parts.ts';
import { hashPassword, refuseWeakPassword } from './passwords/index.ts';
import { readSettings } from './settings/index.ts';
import { StartError } from './start-error.ts';
import { anyUserExists, insertFirstUser } from './users/index.ts';

/**
 * While there is no user: makes the administrator that the environment names, or else a setup token.
 * @returns the token; undefined where an administrator exists
 * @throws StartError for a password that the policy refuses
 */
export async function firstAdministrator(
  { storage, audit, now }: Pick<Parts, 'storage' | 'audit' | 'now'>,
  bootstrap: { readonly email: string; readonly password: string } | undefined,
): Promise<string | undefined> {
  if (await anyUserExists(storage.db)) return undefined;
  if (!bootstrap) return issueSetupToken(storage, 'first', now());
  const weak = refuseWeakPassword(await readSettings(storage.db, 'security'), bootstrap.password, 'password');
  if (weak) {
    throw new StartError(
      `The password of the first administrator is too weak: ${(weak.issues ?? []).map(({ message }) => message).join('; ')}`,
      'Choose a stronger one in PORTCULLIS_ADMIN_PASSWORD_FILE or PORTCULLIS_ADMIN_PASSWORD',
    );
  }
  const { email, password } = bootstrap;
  const passwordHash = await hashPassword(password);
  const made = await storage.transaction((trx) =>
    insertFirstUser(storage.dialect, trx, { email, role: 'admin', passwordHash }, now()),
  );
  // Another service that started at this moment was faster.
  if (!made) return undefined;
  const message = `${email} became the first administrator by the environment`;
  await audit.write({ action: 'auth.setup', level: 'warning', message, actor: 'system', ip: '' });
  return undefined;
}
