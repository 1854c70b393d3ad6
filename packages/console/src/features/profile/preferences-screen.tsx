import type { Preferences } from '@portcullis/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PageForm, SaveBar } from '../../components/form-layout.tsx';
import { toast } from '../../components/toast.ts';
import { usePageForm } from '../../components/use-page-form.ts';
import { errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { preferencesQuery, useSavePreferences, useThemeChoice } from '../../lib/preferences/index.ts';
import { AccountState } from './account-state.tsx';
import { PreferencesFields } from './preferences-fields.tsx';
import { ProfileFrame } from './profile-frame.tsx';

const words = messages.profile.preferences;
const noProblems = () => ({});

/** How the console looks and writes for the signed-in user. */
export function PreferencesScreen() {
  const query = useQuery(preferencesQuery);
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      <AccountState title={words.title} query={query} failed={words.loadFailed} loading={words.loading}>
        {(stored) => <PreferencesForm stored={stored} />}
      </AccountState>
    </ProfileFrame>
  );
}

function PreferencesForm(props: { stored: Preferences }) {
  const theme = useThemeChoice();
  const { form, dirty, onSubmit, reset, stored } = usePageForm<Preferences>(
    { ...props.stored, theme },
    noProblems,
  );
  const { setFieldValue, setInitialValues } = form;
  const { stored: server } = props;
  useEffect(() => {
    // The header's switch may change the theme while the form is open.
    setInitialValues({ ...server, theme });
    setFieldValue('theme', theme);
  }, [theme, server, setInitialValues, setFieldValue]);
  const save = useSavePreferences();
  const send = (values: Preferences) =>
    save.mutate(values, {
      onSuccess: () => {
        stored(values);
        toast.success(words.saved);
      },
      onError: (error) => toast.error(errorText(error, words.saveFailed)),
    });
  return (
    <PageForm label={words.title} busy={save.isPending} onSubmit={onSubmit(send)}>
      <PreferencesFields form={form} />
      <SaveBar
        save={words.save}
        busyLabel={words.saving}
        busy={save.isPending}
        dirty={dirty}
        onReset={reset}
      />
    </PageForm>
  );
}
