import { SegmentedControl } from '@mantine/core';
import type { Preferences } from '@portcullis/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Checkbox } from '../../components/choices.tsx';
import { PageForm, SaveBar } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import { toast } from '../../components/toast.ts';
import { usePageForm } from '../../components/use-page-form.ts';
import { errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { ThemeChoice } from '../../lib/preferences/index.ts';
import { preferencesQuery, useSavePreferences, useThemeChoice } from '../../lib/preferences/index.ts';
import { SettingsState } from './settings-state.tsx';

const words = messages.settings.appearance;
const themes = (['dark', 'light', 'auto'] as const).map((value) => ({ value, label: words.themes[value] }));
const noProblems = () => ({});

/** Theme and sidebar, stored with the own preferences. */
export function AppearanceTab() {
  const query = useQuery(preferencesQuery);
  const theme = useThemeChoice();
  return (
    <SettingsState title={messages.settings.tabs.appearance} query={query} own>
      {(stored) => <AppearanceForm stored={stored} theme={theme} />}
    </SettingsState>
  );
}

function AppearanceForm(props: { stored: Preferences; theme: ThemeChoice }) {
  const start = { theme: props.theme, collapsed: props.stored.display.sidebar_collapsed };
  const { form, dirty, onSubmit, reset, stored } = usePageForm<typeof start>(start, noProblems);
  const { setInitialValues, setFieldValue } = form;
  const { collapsed } = start;
  useEffect(() => {
    setInitialValues({ theme: props.theme, collapsed });
    setFieldValue('theme', props.theme);
  }, [props.theme, collapsed, setInitialValues, setFieldValue]);
  const save = useSavePreferences();
  const send = (values: typeof start) => {
    const display = { ...props.stored.display, sidebar_collapsed: values.collapsed };
    save.mutate(
      { ...props.stored, theme: values.theme, display },
      {
        onSuccess: () => {
          stored(values);
          toast.success(words.saved);
        },
        onError: (error) => toast.error(errorText(error, words.saveFailed)),
      },
    );
  };
  return (
    <PageForm label={messages.settings.tabs.appearance} busy={save.isPending} onSubmit={onSubmit(send)}>
      <Panel title={words.theme} note={words.note}>
        <SegmentedControl aria-label={words.theme} data={themes} {...form.getInputProps('theme')} />
      </Panel>
      <Panel title={words.layout}>
        <Checkbox
          label={words.sidebar}
          description={words.sidebarHelp}
          {...form.getInputProps('collapsed', { type: 'checkbox' })}
        />
      </Panel>
      <Panel title={words.language} note={words.languageNote}>
        <p>{words.languageText}</p>
      </Panel>
      <SaveBar
        save={words.save}
        busyLabel={messages.settings.saving}
        busy={save.isPending}
        dirty={dirty}
        onReset={reset}
      />
    </PageForm>
  );
}
