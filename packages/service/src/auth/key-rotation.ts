import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/index.ts';
import { serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
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

/** Replaces the key that signs session tokens. Every session ends, the caller's own too; API tokens go on. */
export function keyRotationRoutes(
  app: FastifyInstance,
  { storage, signer, audit, sessionsEnded, tokenKeyReplaced }: KeyRotationParts,
): void {
  serve(app, endpoints.settings.rotateTokenKey, async ({ actor, body, ip }) => {
    await signer.rotate(body?.key);
    tokenKeyReplaced();
    // The new key alone would do; without their rows nobody can be shown as signed in who is not.
    await storage.db.deleteFrom('sessions').execute();
    sessionsEnded();
    await audit.write({
      action: 'settings.token_key_rotated',
      level: 'warning',
      message: `${actor.email} replaced the token key, which ended every session`,
      actor: actor.email,
      ip,
    });
    return success(undefined);
  });
}
