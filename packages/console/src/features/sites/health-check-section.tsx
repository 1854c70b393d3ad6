import { NumberInput, Switch, TextInput } from '@mantine/core';
import { messages } from '../../lib/messages/index.ts';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** How the gateway finds out whether the upstream is alive. */
export function HealthCheckSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.healthCheck} text={words.healthCheckText}>
      <Switch
        label={words.healthCheckEnabled}
        {...form.getInputProps('healthCheck.enabled', { type: 'checkbox' })}
      />
      {form.values.healthCheck.enabled ? (
        <>
          <TextInput
            label={words.healthCheckPath}
            spellCheck={false}
            {...form.getInputProps('healthCheck.path')}
          />
          <FieldRow>
            <NumberInput
              label={words.healthCheckInterval}
              suffix={words.secondsSuffix}
              min={1}
              max={3600}
              allowDecimal={false}
              {...form.getInputProps('healthCheck.interval')}
            />
            <NumberInput
              label={words.healthCheckTimeout}
              suffix={words.secondsSuffix}
              min={1}
              max={300}
              allowDecimal={false}
              {...form.getInputProps('healthCheck.timeout')}
            />
          </FieldRow>
        </>
      ) : null}
    </FormSection>
  );
}
