import { authEndpoints } from '@portcullis/contract/api';
import type { LoginRequest } from '@portcullis/contract/auth';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { currentUserQuery, storeToken } from '../../lib/session/index.ts';

const words = messages.signIn;

/**
 * Sends the credentials and keeps the session that comes back.
 * @param onSignedIn called once the token is stored
 */
export function useSignIn(onSignedIn: () => Promise<void>) {
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const mutation = useMutation({
    mutationFn: (body: LoginRequest) => call(authEndpoints.login, { body }),
    onSuccess: async (answer) => {
      if (answer.token === undefined) {
        setNeedsCode(answer.requires_totp === true);
        if (answer.requires_totp === true) toast.signIn(words.enterCode);
        else toast.error(words.failed);
        return;
      }
      client.clear();
      if (answer.user) client.setQueryData(currentUserQuery.queryKey, answer.user);
      storeToken(answer.token);
      toast.signIn(words.succeeded);
      await onSignedIn();
    },
    onError: (error) => toast.error(errorText(error, words.failed)),
  });
  return {
    needsCode,
    busy: mutation.isPending,
    problem: mutation.isError ? errorText(mutation.error, words.failed) : undefined,
    send: (body: LoginRequest) => mutation.mutate(body),
  };
}
