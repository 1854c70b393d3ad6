import { endpoints } from '@portcullis/contract/api';
import type {
  NotificationOutcome,
  NotificationSettingsAnswer,
  NotificationTest,
} from '@portcullis/contract/notifications';
import type {
  GeneralSettings,
  GeneralSettingsUpdate,
  SecuritySettings,
  SecuritySettingsUpdate,
} from '@portcullis/contract/settings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { generalQuery, passwordPolicyQuery } from '../../lib/queries/index.ts';
import { currentUserQuery, dropToken } from '../../lib/session/index.ts';

const words = messages.settings;

/** Security settings of the installation. */
export const securityQuery = queryOptions({
  queryKey: ['settings', 'security'],
  queryFn: ({ signal }): Promise<SecuritySettings> => call(endpoints.settings.security, {}, signal),
});

/** Channels, events and quiet hours; secrets read back empty. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['settings', 'notifications'],
  queryFn: ({ signal }): Promise<NotificationSettingsAnswer> =>
    call(endpoints.notifications.settings, {}, signal),
});

const outcomesShown = 50;

/** What became of the last messages, newest first. */
export const outcomesQuery = queryOptions({
  queryKey: ['notification-outcomes'],
  queryFn: ({ signal }): Promise<NotificationOutcome[]> =>
    call(endpoints.notifications.outcomes, { query: { limit: outcomesShown } }, signal),
});

/** Where a form hears that its values were stored, or why they were not. */
interface Outcome<Values> {
  stored: (values: Values) => void;
  refused: (error: unknown) => void;
}

/** Stores the general settings and puts them in force. */
export function useSaveGeneral(outcome: Outcome<GeneralSettings>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: GeneralSettingsUpdate) => call(endpoints.settings.updateGeneral, { body }),
    onSuccess: (answer, sent) => {
      const stored = { ...client.getQueryData(generalQuery.queryKey), ...sent, ...answer };
      client.setQueryData(generalQuery.queryKey, stored);
      outcome.stored(stored);
      toast.success(words.general.saved);
    },
    onError: (error) => {
      toast.error(errorText(error, words.saveFailed));
      outcome.refused(error);
    },
  });
}

/** Stores the security settings and puts them in force. */
export function useSaveSecurity(outcome: Outcome<SecuritySettings>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SecuritySettingsUpdate) => call(endpoints.settings.updateSecurity, { body }),
    onSuccess: (answer, sent) => {
      const stored = { ...client.getQueryData(securityQuery.queryKey), ...sent, ...answer };
      client.setQueryData(securityQuery.queryKey, stored);
      outcome.stored(stored);
      toast.success(words.security.saved);
      // Whose 2FA is required from now on, the own one perhaps, is told with the user.
      return Promise.all(
        [passwordPolicyQuery, currentUserQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
      );
    },
    onError: (error) => {
      toast.error(errorText(error, words.saveFailed));
      outcome.refused(error);
    },
  });
}

/** Changes the key of the session tokens; every session ends, so this one signs out. */
export function useRotateKey() {
  return useMutation({
    mutationFn: (key: string | undefined) =>
      call(endpoints.settings.rotateTokenKey, { body: key === undefined ? {} : { key } }),
    onSuccess: () => {
      toast.success(words.security.rotated);
      dropToken();
    },
    onError: (error) => toast.error(errorText(error, words.security.rotateFailed)),
  });
}

/** Stores channels, events and quiet hours, then reads them back without their secrets. */
export function useSaveNotifications(outcome: Outcome<NotificationSettingsAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NotificationSettingsAnswer) => {
      await call(endpoints.notifications.updateSettings, { body });
      return client.fetchQuery({ ...notificationSettingsQuery, staleTime: 0 });
    },
    onSuccess: (stored) => {
      outcome.stored(stored);
      toast.success(words.notifications.saved);
    },
    onError: (error) => {
      toast.error(errorText(error, words.saveFailed));
      outcome.refused(error);
    },
  });
}

/** Sends a test through one stored channel. */
export function useTestNotification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (type: NotificationTest['type']) => call(endpoints.notifications.test, { body: { type } }),
    onSuccess: () => toast.success(words.notifications.testSent),
    onError: (error) => toast.error(errorText(error, words.notifications.testFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: outcomesQuery.queryKey }),
  });
}
