import type { FastifyRequest } from 'fastify';
import { actorOfApiToken, tokenPrefix } from '../api-tokens/index.ts';
import type { Actor, Authentication } from '../http/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import { permissionsOf } from '../users/index.ts';
import { findLiveSession } from './sessions.ts';
import { redeemTicket } from './tickets.ts';
import type { TokenClaims, TokenSigner } from './tokens.ts';

export interface AuthenticationParts {
  readonly storage: Storage;
  readonly signer: TokenSigner;
  readonly now: () => number;
}

/** @returns the actor of a session that is still good */
export async function actorOf(
  { storage, now }: Pick<AuthenticationParts, 'storage' | 'now'>,
  claims: TokenClaims,
): Promise<Actor | undefined> {
  const { sessionTimeout, require2FA } = await readSettings(storage.read, 'security');
  const session = await findLiveSession(storage, claims.sessionId, claims.userId, sessionTimeout, now());
  if (!session) return undefined;
  const { userId, email, role, sessionId } = session;
  const actor = { userId, email, role, sessionId };
  const mustSetUpTotp = require2FA && !session.hasTotp;
  return mustSetUpTotp
    ? { ...actor, permissions: [], mustSetUpTotp }
    : { ...actor, permissions: permissionsOf(role) };
}

/** Reads the Authorization header and looks its session or API token up, on every call. */
export async function authenticate(
  parts: AuthenticationParts,
  request: FastifyRequest,
): Promise<Authentication> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return { status: 'absent' };
  const actor = await actorOfBearer(parts, token);
  return actor ? { status: 'signed-in', actor } : { status: 'ended' };
}

async function actorOfBearer(parts: AuthenticationParts, token: string): Promise<Actor | undefined> {
  if (token.startsWith(tokenPrefix)) return actorOfApiToken(parts, token);
  const claims = await parts.signer.verify(token);
  return claims && actorOf(parts, claims);
}

/**
 * Who opens a stream: a single-use ticket, or for compatibility the session token, both as the query parameter
 * `token`; or the Authorization header.
 */
export async function authenticateStream(
  parts: AuthenticationParts,
  request: FastifyRequest,
  token: string | undefined,
): Promise<Authentication> {
  if (token === undefined) return request.authentication;
  const claims =
    (await redeemTicket(parts.storage, token, parts.now())) ?? (await parts.signer.verify(token));
  const actor = claims && (await actorOf(parts, claims));
  return actor ? { status: 'signed-in', actor } : { status: 'ended' };
}
