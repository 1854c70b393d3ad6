import { Select } from '@mantine/core';
import { accessLogChoices } from '@portcullis/contract/sites';
import { messages } from '../../lib/messages/index.ts';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** Whether, and how, every request of the site is written to a file. */
export function AccessLogSection(props: { form: SiteForm }) {
  return (
    <FormSection title={words.accessLog} text={words.accessLogText}>
      <FieldRow>
        <Select
          label={words.accessLogFormat}
          data={accessLogChoices.map((value) => ({ value, label: words.accessLogFormats[value] }))}
          {...props.form.getInputProps('access_log.format')}
        />
      </FieldRow>
    </FormSection>
  );
}
