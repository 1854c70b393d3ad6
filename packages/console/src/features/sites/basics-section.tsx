import { Select, Textarea, TextInput } from '@mantine/core';
import { responseModes } from '@portcullis/contract/sites';
import { securityLevels } from '@portcullis/contract/vocabulary';
import { Switch } from '../../components/choices.tsx';
import { messages } from '../../lib/messages/index.ts';
import { DomainList } from './domain-list.tsx';
import { FieldRow, FormSection } from './form-section.tsx';
import classes from './site-fields.module.css';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** Name, domains, upstream, and the switches that decide about the whole site. */
export function BasicsSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.basics} text={words.basicsText}>
      <TextInput label={words.name} required data-autofocus {...form.getInputProps('name')} />
      <DomainList form={form} />
      <TextInput
        label={words.upstream}
        description={words.upstreamHelp}
        required
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('backend_url')}
      />
      <Textarea label={words.description} autosize minRows={2} {...form.getInputProps('description')} />
      <FieldRow>
        <Select
          label={words.securityLevel}
          data={securityLevels.map((value) => ({ value, label: messages.sites.levels[value] ?? value }))}
          classNames={{ input: classes.level ?? '', option: classes.level ?? '' }}
          {...form.getInputProps('security_level')}
        />
        <Select
          label={words.responseMode}
          data={responseModes.map((value) => ({ value, label: words.responseModes[value] }))}
          {...form.getInputProps('response_mode')}
        />
      </FieldRow>
      <Switch
        label={words.enabled}
        description={words.enabledHelp}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Switch
        label={words.maintenance}
        description={words.maintenanceHelp}
        {...form.getInputProps('maintenance', { type: 'checkbox' })}
      />
    </FormSection>
  );
}
