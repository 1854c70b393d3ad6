import { Select } from '@mantine/core';
import { failureModes, oversizeModes } from '@portcullis/contract/sites';
import { messages } from '../../lib/messages/index.ts';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;
const kinds = [
  ['engine_error', failureModes],
  ['over_budget', failureModes],
  ['oversize', oversizeModes],
  ['undecoded', failureModes],
] as const;

/** What happens to a request that could not be inspected as a whole. */
export function FailureSection(props: { form: SiteForm }) {
  return (
    <FormSection title={words.failures} text={words.failuresText}>
      <FieldRow>
        {kinds.map(([kind, modes]) => (
          <Select
            key={kind}
            label={words.failureKinds[kind]}
            data={modes.map((value) => ({ value, label: words.failureModes[value] }))}
            {...props.form.getInputProps(`failure_modes.${kind}`)}
          />
        ))}
      </FieldRow>
    </FormSection>
  );
}
