import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/index.ts';
import { serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { Storage, Trx } from '../storage/index.ts';
import type { TokenSigner } from './tokens.ts';

export interface KeyRotationParts {
  readonly storage: Storage;
  readonly signer: TokenSigner;
  readonly audit: AuditLog;
  /** told that sessions ended, so that their streams close */
  sessionsEnded(): void;
  /** told that other services need the new key */
  tokenKeyReplaced(): void;
}

/**
 * Replaces the key that signs session tokens, ends every session and says so in the audit log: all of it or nothing.
 * The new key alone would end them; without their rows nobody can be shown as signed in who is not.
 * @returns to be called once the transaction stands: takes the key up, and tells who watches
 */
export async function replaceTokenKey(
  trx: Trx,
  { signer, audit }: Pick<KeyRotationParts, 'signer' | 'audit'>,
  { email, ip }: { readonly email: string; readonly ip: string },
  key?: string,
): Promise<() => void> {
  const takeUp = await signer.replace(trx, key);
  await trx.deleteFrom('sessions').execute();
  const record = await audit.append(trx, {
    action: 'settings.token_key_rotated',
    level: 'warning',
    message: `${email} replaced the token key, which ended every session`,
    actor: email,
    ip,
  });
  return () => {
    takeUp();
    audit.announce(record);
  };
}

/** POST /settings/security/rotate-key. The caller's own session ends too; API tokens go on. */
export function keyRotationRoutes(app: FastifyInstance, parts: KeyRotationParts): void {
  serve(app, endpoints.settings.rotateTokenKey, async ({ actor, body, ip }) => {
    const author = { email: actor.email, ip };
    const done = await parts.storage.transaction((trx) => replaceTokenKey(trx, parts, author, body?.key));
    done();
    parts.tokenKeyReplaced();
    parts.sessionsEnded();
    return success(undefined);
  });
}
