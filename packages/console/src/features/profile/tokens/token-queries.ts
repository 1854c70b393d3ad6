import { endpoints } from '@portcullis/contract/api';
import type { ApiToken, ApiTokenCreate, ApiTokenCreated } from '@portcullis/contract/auth';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../../components/toast.ts';
import { call, errorText } from '../../../lib/api/index.ts';
import { messages } from '../../../lib/messages/index.ts';

const words = messages.profile.tokens;

/** The own API tokens, without their secrets. */
export const tokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }): Promise<ApiToken[]> => call(endpoints.auth.apiTokens, {}, signal),
});

/** Adds a token. @param done gets the secret, which is not to be had again */
export function useCreateToken(done: (created: ApiTokenCreated) => void, refused: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ApiTokenCreate) => call(endpoints.auth.createApiToken, { body }),
    onSuccess: (created) => {
      toast.success(words.created);
      done(created);
      return client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, words.createFailed));
      refused(error);
    },
  });
}

/** Revokes a token. */
export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.auth.revokeApiToken, { params: { id } }),
    onSuccess: () => toast.success(words.revoked),
    onError: (error) => toast.error(errorText(error, words.revokeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
