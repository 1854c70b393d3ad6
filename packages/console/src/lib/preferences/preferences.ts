import { userEndpoints } from '@portcullis/contract/api';
import { Preferences } from '@portcullis/contract/users';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useToken } from '../session/session.ts';
import type { ThemeChoice } from './theme.ts';
import { adoptTheme, storeTheme, themeChoice } from './theme.ts';

/** What holds while nothing is stored or the service cannot say. */
export const defaultPreferences: Preferences = Preferences.parse({});

/** The signed-in user's preferences. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }): Promise<Preferences> => {
    const stored = await call(userEndpoints.preferences, {}, signal);
    const theme = themeChoice(stored.theme);
    adoptTheme(theme);
    return { ...stored, theme };
  },
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
    mutationFn: (preferences: Preferences) => call(userEndpoints.updatePreferences, { body: preferences }),
    onSuccess: (_answer, sent) => {
      client.setQueryData(preferencesQuery.queryKey, sent);
      const theme = themeChoice(sent.theme);
      adoptTheme(theme);
      storeTheme(theme);
    },
  });
}

/**
 * Changes the theme from the header: drawn at once, and kept with the preferences for the next machine. When
 * that fails the choice still holds in this browser.
 */
export function useChooseTheme(): (theme: ThemeChoice) => void {
  const client = useQueryClient();
  const { mutate } = useSavePreferences();
  return (theme) => {
    storeTheme(theme);
    const preferences = client.getQueryData(preferencesQuery.queryKey);
    if (preferences) mutate({ ...preferences, theme });
  };
}
