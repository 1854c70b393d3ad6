import type { Profile } from '@portcullis/contract/auth';
import type { StoredUser } from '../users/index.ts';

/** The own account as its user sees it. */
export function presentProfile(user: StoredUser): Profile {
  return {
    id: user.id,
    email: user.email,
    displayName: user.display_name,
    role: user.role,
    createdAt: new Date(user.created_at).toISOString(),
    totpEnabled: user.totp_secret !== null,
  };
}
