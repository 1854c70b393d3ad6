import { endpoints } from '@portcullis/contract/api';
import { Profile, type Session } from '@portcullis/contract/auth';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText, readTolerant } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { currentUserQuery } from '../../lib/session/index.ts';

const words = messages.profile;

/** Some servers answer the profile itself, some wrap it. */
export function unwrapped(answer: { profile?: Profile }): Profile {
  return readTolerant(Profile, answer.profile ?? answer);
}

/** The own account. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => unwrapped(await call(endpoints.auth.profile, {}, signal)),
});

/** Where the own account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }): Promise<Session[]> => call(endpoints.auth.sessions, {}, signal),
});

/** What the profile form may change; the password is asked only where the email changes. */
export interface ProfileChange {
  displayName: string;
  email?: string;
  currentPassword?: string;
}

/** Changes the own name or email, and shows it in the header too. */
export function useUpdateProfile(outcome: { stored: () => void; refused: (error: unknown) => void }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileChange) => call(endpoints.auth.updateProfile, { body }),
    onSuccess: ({ profile }) => {
      client.setQueryData(profileQuery.queryKey, profile);
      toast.success(words.edit.saved);
      outcome.stored();
      return client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, words.edit.saveFailed));
      outcome.refused(error);
    },
  });
}

/** Ends one of the own sessions. */
export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.auth.revokeSession, { params: { id } }),
    onSuccess: () => toast.success(words.sessions.revoked),
    onError: (error) => toast.error(errorText(error, words.sessions.revokeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Ends all own sessions but this one. */
export function useRevokeOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoints.auth.revokeOtherSessions, {}),
    onSuccess: () => toast.success(words.sessions.othersRevoked),
    onError: (error) => toast.error(errorText(error, words.sessions.revokeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Changes the own password. @param done called once it is changed */
export function useChangePassword(done: () => void, refused: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      call(endpoints.auth.changePassword, { body }),
    onSuccess: () => {
      toast.success(words.password.succeeded);
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      done();
    },
    onError: (error) => {
      toast.error(errorText(error, words.password.failed));
      refused(error);
    },
  });
}
