import { endpoints } from '@portcullis/contract/api';
import { PasswordPolicy } from '@portcullis/contract/auth';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../api/index.ts';

/** What holds where the service does not say: eight characters and one of each kind. */
export const defaultPasswordPolicy: PasswordPolicy = PasswordPolicy.parse({});

/** What a new password must hold. A server without this call has the default policy. */
export const passwordPolicyQuery = queryOptions({
  queryKey: ['password-policy'],
  queryFn: async ({ signal }): Promise<PasswordPolicy> => {
    try {
      return await call(endpoints.auth.passwordPolicy, {}, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return defaultPasswordPolicy;
      throw error;
    }
  },
  staleTime: 30_000,
});
