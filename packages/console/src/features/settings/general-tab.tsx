import { Select, TextInput } from '@mantine/core';
import { GeneralSettings, systemTimezones } from '@portcullis/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/choices.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import { ChoiceList, FieldGrid, FullRow, PageForm, SaveBar } from '../../components/form-layout.tsx';
import { boundsOf, NumberField, numberProblem } from '../../components/number-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';
import { generalQuery } from '../../lib/queries/index.ts';
import { useSaveGeneral } from './settings-queries.ts';
import { SettingsState } from './settings-state.tsx';

const words = messages.settings.general;
const { shape } = GeneralSettings;
const bounds = {
  logRetentionDays: boundsOf(shape.logRetentionDays),
  logRetentionGigabytes: boundsOf(shape.logRetentionGigabytes),
  historyRetentionDays: boundsOf(shape.historyRetentionDays),
  historyKeptVersions: boundsOf(shape.historyKeptVersions),
  maxConnections: boundsOf(shape.maxConnections),
  requestTimeout: boundsOf(shape.requestTimeout),
  connectTimeout: boundsOf(shape.connectTimeout),
  headerTimeout: boundsOf(shape.headerTimeout),
  bodyTimeout: boundsOf(shape.bodyTimeout),
  idleTimeout: boundsOf(shape.idleTimeout),
  keepAliveTimeout: boundsOf(shape.keepAliveTimeout),
  totalTimeout: boundsOf(shape.totalTimeout),
  healthCheckInterval: boundsOf(shape.healthCheckInterval),
};
/** In the order in which a request meets them. */
const timeLimits = [
  'headerTimeout',
  'bodyTimeout',
  'connectTimeout',
  'requestTimeout',
  'idleTimeout',
  'totalTimeout',
  'keepAliveTimeout',
] as const;
const common: ReadonlySet<string> = new Set(systemTimezones);
const option = (zone: string) => ({ value: zone, label: messages.settings.timezones[zone] ?? zone });

/** The usual ones first, then all that this browser knows, and the stored one where it does not. */
function timezonesWith(stored: string) {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !common.has(zone));
  const unknown = common.has(stored) || others.includes(stored) ? [] : [stored];
  return [
    { group: words.timezonesCommon, items: systemTimezones.map(option) },
    { group: words.timezonesAll, items: [...unknown, ...others].map(option) },
  ];
}

function problems(values: GeneralSettings): Record<string, string> {
  const errors: Record<string, string> = {};
  if (values.systemName.trim() === '') errors['systemName'] = words.systemNameRequired;
  for (const field of Object.keys(bounds) as (keyof typeof bounds)[]) {
    const problem = numberProblem(values[field], bounds[field]);
    if (problem) errors[field] = problem;
  }
  return errors;
}

/** System name, limits, health checks and maintenance mode. */
export function GeneralTab() {
  const query = useQuery(generalQuery);
  return (
    <SettingsState title={messages.settings.tabs.general} query={query}>
      {(stored, mayEdit) => <GeneralForm stored={stored} mayEdit={mayEdit} />}
    </SettingsState>
  );
}

function GeneralForm(props: { stored: GeneralSettings; mayEdit: boolean }) {
  const { form, dirty, changed, onSubmit, reset, ...outcome } = usePageForm(props.stored, problems);
  const save = useSaveGeneral(outcome);
  const confirm = useConfirm();
  const send = async (values: GeneralSettings) => {
    const starts = values.maintenanceMode && !props.stored.maintenanceMode;
    const agreed =
      !starts ||
      (await confirm({
        title: words.maintenanceTitle,
        text: words.maintenanceText,
        confirm: words.maintenanceConfirm,
        destructive: true,
      }));
    if (agreed) save.mutate(changed({ ...values, systemName: values.systemName.trim() }));
  };
  return (
    <PageForm
      label={messages.settings.tabs.general}
      busy={save.isPending}
      readOnly={!props.mayEdit}
      onSubmit={onSubmit((values) => void send(values))}
    >
      <Fields form={form} />
      {props.mayEdit ? (
        <SaveBar
          save={words.save}
          busyLabel={messages.settings.saving}
          busy={save.isPending}
          dirty={dirty}
          onReset={reset}
        />
      ) : null}
    </PageForm>
  );
}

type GeneralFields = ReturnType<typeof usePageForm<GeneralSettings>>['form'];

function Fields(props: { form: GeneralFields }) {
  const { form } = props;
  return (
    <>
      <SystemPanel form={form} />
      <Panel title={words.limits}>
        <FieldGrid>
          <NumberField
            label={words.maxConnections}
            help={words.maxConnectionsHelp}
            bounds={bounds.maxConnections}
            {...form.getInputProps('maxConnections')}
          />
          {timeLimits.map((name) => (
            <NumberField
              key={name}
              label={words[name]}
              help={words[`${name}Help`]}
              bounds={bounds[name]}
              {...form.getInputProps(name)}
            />
          ))}
        </FieldGrid>
      </Panel>
      <Panel title={words.health}>
        <FieldGrid>
          <FullRow>
            <Checkbox
              label={words.healthChecks}
              description={words.healthChecksHelp}
              {...form.getInputProps('healthChecksEnabled', { type: 'checkbox' })}
            />
          </FullRow>
          <NumberField
            label={words.healthInterval}
            help={words.healthIntervalHelp}
            bounds={bounds.healthCheckInterval}
            {...form.getInputProps('healthCheckInterval')}
          />
        </FieldGrid>
      </Panel>
      <Panel title={words.maintenance}>
        <ChoiceList>
          <Checkbox
            label={words.maintenanceMode}
            description={words.maintenanceHelp}
            {...form.getInputProps('maintenanceMode', { type: 'checkbox' })}
          />
        </ChoiceList>
      </Panel>
    </>
  );
}

function SystemPanel({ form }: { form: GeneralFields }) {
  const [timezones] = useState(() => timezonesWith(form.getValues().timezone));
  return (
    <Panel title={words.system}>
      <FieldGrid>
        <TextInput label={words.systemName} maxLength={120} {...form.getInputProps('systemName')} />
        <Select
          label={words.timezone}
          data={timezones}
          searchable
          nothingFoundMessage={words.timezoneNone}
          {...form.getInputProps('timezone')}
        />
        <NumberField
          label={words.logRetention}
          help={words.logRetentionHelp}
          bounds={bounds.logRetentionDays}
          {...form.getInputProps('logRetentionDays')}
        />
        <NumberField
          label={words.logRetentionSize}
          help={words.logRetentionSizeHelp}
          bounds={bounds.logRetentionGigabytes}
          {...form.getInputProps('logRetentionGigabytes')}
        />
        <NumberField
          label={words.historyRetention}
          help={words.historyRetentionHelp}
          bounds={bounds.historyRetentionDays}
          {...form.getInputProps('historyRetentionDays')}
        />
        <NumberField
          label={words.historyKept}
          help={words.historyKeptHelp}
          bounds={bounds.historyKeptVersions}
          {...form.getInputProps('historyKeptVersions')}
        />
      </FieldGrid>
    </Panel>
  );
}
