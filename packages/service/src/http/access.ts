import type { Access, ErrorCode } from '@portcullis/contract/api';
import type { Permission } from '@portcullis/contract/auth';

/** Who makes a call, as the token told and storage confirmed. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  readonly permissions: readonly Permission[];
  /** absent for callers that have no session, such as an API token */
  readonly sessionId?: string;
  /** set where 2FA is required and not set up: the own account is all that may be seen and changed */
  readonly mustSetUpTotp?: boolean;
}

/** What the Authorization header turned out to be worth. */
export type Authentication =
  | { readonly status: 'signed-in'; readonly actor: Actor }
  | { readonly status: 'absent' | 'ended' };

/**
 * The one access policy of the API: a call's declared access against who makes it. An empty permission list
 * grants nobody.
 * @returns the code of the refusal, or undefined where the call may go on
 */
export function refusal(access: Access, authentication: Authentication): ErrorCode | undefined {
  if (access === 'public') return undefined;
  if (authentication.status !== 'signed-in') {
    return authentication.status === 'absent' ? 'not_signed_in' : 'session_expired';
  }
  const { permissions, sessionId, mustSetUpTotp } = authentication.actor;
  if (access === 'signed-in') return undefined;
  // An API token must not make more of its kind, nor change how its owner signs in.
  if (access === 'session') return sessionId === undefined ? 'forbidden' : undefined;
  if (mustSetUpTotp) return 'totp_setup_required';
  const holds = (needed: Permission) => permissions.includes(needed);
  const granted =
    'anyOf' in access ? access.anyOf.some(holds) : access.allOf.length > 0 && access.allOf.every(holds);
  return granted ? undefined : 'forbidden';
}
