import { endpoints } from '@portcullis/contract/api';
import { Preferences } from '@portcullis/contract/users';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useToken } from '../session/session.ts';
import { storeTheme } from './theme.ts';

/** What holds while nothing is stored or the service cannot say. */
export const defaultPreferences: Preferences = Preferences.parse({});

/** The signed-in user's preferences. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => call(endpoints.users.preferences, {}, signal),
  staleTime: 300_000,
});

/** @returns the preferences in force; the defaults while they load or cannot be loaded */
export function usePreferences(): Preferences {
  const token = useToken();
  const stored = useQuery({ ...preferencesQuery, enabled: token !== null }).data;
  return stored ?? defaultPreferences;
}

/** Stores the whole preferences object, in force at once here and on the next machine. */
export function useSavePreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (preferences: Preferences) => call(endpoints.users.updatePreferences, { body: preferences }),
    onSuccess: (_answer, sent) => {
      client.setQueryData(preferencesQuery.queryKey, sent);
      storeTheme(sent.theme);
    },
  });
}
