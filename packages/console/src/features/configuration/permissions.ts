import { endpoints } from '@portcullis/contract/api';
import { allows } from '@portcullis/contract/auth';
import { useCurrentUser } from '../../lib/session/index.ts';

const { allOf } = endpoints.configuration.restore.access;

/** @returns whether the user may change all of the configuration at once, by restoring or importing */
export function useMayChangeAll(): boolean {
  const user = useCurrentUser();
  return user !== undefined && allOf.every((permission) => allows(user.permissions, [permission]));
}
