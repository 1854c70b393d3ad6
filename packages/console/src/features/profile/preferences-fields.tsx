import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { Preferences } from '@portcullis/contract/users';
import { dateFormats, displayTimezones, timeFormats } from '@portcullis/contract/users';
import { Switch } from '../../components/choices.tsx';
import { ChoiceList, FieldGrid } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import type { usePageForm } from '../../components/use-page-form.ts';
import { formatDateTime, useNow } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './preferences-fields.module.css';

const words = messages.profile.preferences;
const themes = (['light', 'dark', 'auto'] as const).map((value) => ({ value, label: words.themes[value] }));
const zones = displayTimezones.map((zone) => ({
  value: zone,
  label: messages.settings.timezones[zone] ?? zone,
}));
const clocks = timeFormats.map((value) => ({ value, label: words.timeFormats[value] }));

type PreferencesForm = ReturnType<typeof usePageForm<Preferences>>['form'];

/** All preferences that the screen shows. */
export function PreferencesFields(props: { form: PreferencesForm }) {
  return (
    <>
      <Display {...props} />
      <Region {...props} />
      <Notifications {...props} />
    </>
  );
}

function Display({ form }: { form: PreferencesForm }) {
  return (
    <Panel title={words.display}>
      <div className={classes.theme}>
        <span className={classes.label}>{words.theme}</span>
        <SegmentedControl aria-label={words.theme} data={themes} {...form.getInputProps('theme')} />
      </div>
      <ChoiceList>
        <Switch
          label={words.compact}
          description={words.compactHelp}
          {...form.getInputProps('display.compact_mode', { type: 'checkbox' })}
        />
        <Switch
          label={words.tooltips}
          description={words.tooltipsHelp}
          {...form.getInputProps('display.show_tooltips', { type: 'checkbox' })}
        />
        <Switch
          label={words.animations}
          description={words.animationsHelp}
          {...form.getInputProps('display.animations', { type: 'checkbox' })}
        />
        <Switch
          label={words.contrast}
          description={words.contrastHelp}
          {...form.getInputProps('display.high_contrast', { type: 'checkbox' })}
        />
      </ChoiceList>
    </Panel>
  );
}

function Region({ form }: { form: PreferencesForm }) {
  const now = useNow();
  const sample = formatDateTime(new Date(now), form.getValues());
  return (
    <Panel title={words.region} note={<span className="tabular">{words.sample(sample)}</span>}>
      <FieldGrid>
        <TextInput
          label={words.language}
          description={words.languageHelp}
          value={words.english}
          readOnly
          disabled
        />
        <Select label={words.timezone} data={zones} {...form.getInputProps('timezone')} />
        <Select label={words.dateFormat} data={[...dateFormats]} {...form.getInputProps('dateFormat')} />
        <Select label={words.timeFormat} data={clocks} {...form.getInputProps('timeFormat')} />
      </FieldGrid>
    </Panel>
  );
}

function Notifications({ form }: { form: PreferencesForm }) {
  const { email } = form.getValues().notifications;
  return (
    <Panel title={words.notifications}>
      <ChoiceList>
        <Switch
          label={words.email}
          description={words.emailHelp}
          {...form.getInputProps('notifications.email', { type: 'checkbox' })}
        />
        <div className={classes.types}>
          <Switch
            label={words.securityAlerts}
            disabled={!email}
            {...form.getInputProps('notifications.security_alerts', { type: 'checkbox' })}
          />
          <Switch
            label={words.systemUpdates}
            disabled={!email}
            {...form.getInputProps('notifications.system_updates', { type: 'checkbox' })}
          />
          <Switch
            label={words.weeklyReports}
            disabled={!email}
            {...form.getInputProps('notifications.weekly_reports', { type: 'checkbox' })}
          />
        </div>
      </ChoiceList>
    </Panel>
  );
}
