import { CheckboxGroup, Select } from '@mantine/core';
import { responseInspectionModes } from '@portcullis/contract/sites';
import { leakKinds } from '@portcullis/engine/vocabulary';
import { Checkbox } from '../../components/choices.tsx';
import { messages } from '../../lib/messages/index.ts';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** What the site's own answers are looked through for. */
export function AnswersSection(props: { form: SiteForm }) {
  const { form } = props;
  const { mode } = form.values.response_inspection;
  return (
    <FormSection title={words.answers} text={words.answersText}>
      <FieldRow>
        <Select
          label={words.answersMode}
          description={words.answersModeHelp[mode]}
          data={responseInspectionModes.map((value) => ({ value, label: words.answersModes[value] }))}
          {...form.getInputProps('response_inspection.mode')}
        />
      </FieldRow>
      {mode === 'off' ? null : (
        <CheckboxGroup label={words.leakKind} {...form.getInputProps('response_inspection.kinds')}>
          {leakKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={words.leakKinds[kind]} mt="xs" />
          ))}
        </CheckboxGroup>
      )}
    </FormSection>
  );
}
