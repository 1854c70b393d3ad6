import { authEndpoints } from '@portcullis/contract/api';
import type { Permission } from '@portcullis/contract/auth';
import { allows } from '@portcullis/contract/auth';
import { User } from '@portcullis/contract/users';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { call } from '../api/client.ts';
import { readTolerant } from '../api/tolerant.ts';
import { onTokenChange, readToken } from './token.ts';

/** The signed-in user: loaded once at start, again after changes of the own account. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: ({ signal }) => loadCurrentUser(signal),
  staleTime: 60_000,
  retry: false,
});

async function loadCurrentUser(signal: AbortSignal): Promise<User> {
  const answer: unknown = await call(authEndpoints.me, {}, signal);
  return readTolerant(User, unwrapUser(answer));
}

/** Some servers answer the user itself, some wrap it. */
function unwrapUser(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'user' in answer && answer.user
    ? answer.user
    : answer;
}

/** @returns the stored token, kept up with sign-in and sign-out in any tab */
export function useToken(): string | null {
  return useSyncExternalStore(onTokenChange, readToken);
}

/** @returns the signed-in user, or undefined while loading or signed out */
export function useCurrentUser(): User | undefined {
  const token = useToken();
  return useQuery({ ...currentUserQuery, enabled: token !== null }).data;
}

/**
 * Whether the signed-in user may do what needs one of the permissions. False while the user is not known.
 * The service enforces; this only decides what is shown.
 */
export function usePermission(...anyOf: Permission[]): boolean {
  const user = useCurrentUser();
  return user !== undefined && allows(user.permissions, anyOf);
}
