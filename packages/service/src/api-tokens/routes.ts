import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/index.ts';
import { serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { holdUser } from '../users/index.ts';
import { newToken, refuseToken } from './api-tokens.ts';
import { presentToken } from './present.ts';
import { deleteToken, insertToken, tokensOf } from './repository.ts';

export interface ApiTokenParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  readonly now: () => number;
}

/** The own API tokens: listed, made and revoked by a person in a session. */
export function apiTokenRoutes(app: FastifyInstance, { storage, audit, now }: ApiTokenParts): void {
  const { apiTokens, createApiToken, revokeApiToken } = endpoints.auth;

  serve(app, apiTokens, async ({ actor }) =>
    success((await tokensOf(storage.read, actor.userId)).map(presentToken)),
  );

  serve(app, createApiToken, async ({ actor, body, ip }) => {
    const { secret, row } = newToken(actor.userId, body, now());
    const outcome = await storage.transaction(async (trx) => {
      if (!(await holdUser(trx, actor.userId))) return failure('session_expired');
      const present = (await tokensOf(trx, actor.userId)).length;
      const refused = refuseToken(body, actor.permissions, present);
      if (refused) return refused;
      await insertToken(trx, row);
      const record = await audit.append(trx, {
        action: 'api_token.create',
        level: 'info',
        message: `Created API token "${row.name}" of ${actor.email}`,
        actor: actor.email,
        ip,
        target: row.id,
        details: { permissions: body.permissions, expiresAt: row.expires_at },
      });
      return success(record);
    });
    if (!outcome.ok) return outcome;
    audit.announce(outcome.value);
    return success({ secret, token: presentToken(row) });
  });

  serve(app, revokeApiToken, async ({ actor, params, ip }) => {
    const record = await storage.transaction(async (trx) => {
      const revoked = await deleteToken(trx, actor.userId, params.id);
      if (!revoked) return undefined;
      return audit.append(trx, {
        action: 'api_token.revoke',
        level: 'info',
        message: `Revoked API token "${revoked.name}" of ${actor.email}`,
        actor: actor.email,
        ip,
        target: revoked.id,
      });
    });
    if (!record) return failure('not_found');
    audit.announce(record);
    return success(undefined);
  });
}
