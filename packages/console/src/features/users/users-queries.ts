import { endpoints } from '@portcullis/contract/api';
import type { User } from '@portcullis/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { currentUserQuery } from '../../lib/session/index.ts';
import type { UserDraft } from './user-values.ts';

const words = messages.users;

/** All console users. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }): Promise<User[]> => call(endpoints.users.list, {}, signal),
});

/** @param draft without `id` for a new user, which has an email and a password */
function save({ id, ...draft }: UserDraft & { id: string | undefined }): Promise<User> {
  if (id !== undefined) return call(endpoints.users.update, { params: { id }, body: draft });
  const { email = '', password = '' } = draft;
  return call(endpoints.users.create, { body: { ...draft, email, password } });
}

/** Creates or changes a user. @param done called once it is stored */
export function useSaveUser(done: () => void, refused: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (_user, { id }) => {
      toast.success(id === undefined ? words.created : words.updated);
      done();
      // Who changed the own account sees it in the header too.
      void client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      return client.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, words.saveFailed));
      refused(error);
    },
  });
}

/** Deletes a user and ends their sessions. */
export function useDeleteUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.users.remove, { params: { id } }),
    onSuccess: () => toast.success(words.deleted),
    onError: (error) => toast.error(errorText(error, words.deleteFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

/** Turns 2FA off for a user who lost it, and ends their sessions. */
export function useResetTotp(done: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.users.resetTotp, { params: { id } }),
    onSuccess: () => {
      toast.success(words.totpReset);
      done();
    },
    onError: (error) => toast.error(errorText(error, words.totpResetFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}
