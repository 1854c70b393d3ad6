import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InspectionException } from '@portcullis/contract/sites';
import { inspectedCategories } from '@portcullis/contract/vocabulary';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { useExceptionSave } from '../../components/use-exception-save.ts';
import { useStartingValues } from '../../components/use-starting-values.ts';
import { useTimeFormat } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import type { ExceptionFormState, ExceptionValues } from './exception-values.ts';
import { exceptionProblems, exceptionToStore, exceptionValues } from './exception-values.ts';
import { RuleField } from './rule-field.tsx';

const words = messages.protection.exceptions.form;

/** Adds an exception to a site, or changes one. */
export function ExceptionForm(props: {
  siteId: string;
  opened: boolean;
  exception: InspectionException | undefined;
  onClose: () => void;
}) {
  const { siteId, opened, exception } = props;
  const form = useForm<ExceptionValues>({
    initialValues: exceptionValues(exception),
    validate: exceptionProblems,
  });
  useStartingValues(form, opened, exception, exceptionValues);
  const save = useExceptionSave(siteId, {
    made: (values: ExceptionValues, now) => [exceptionToStore(values, exception, now)],
    before: exception,
    words,
    setErrors: form.setErrors,
    onSaved: props.onClose,
  });
  return (
    <FormModal
      opened={opened}
      title={exception ? words.editTitle : words.addTitle}
      submit={exception ? words.update : words.create}
      busyLabel={words.saving}
      busy={save.isPending}
      dirty={form.isDirty()}
      onClose={props.onClose}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <Subject form={form} />
      <Conditions form={form} end={exception?.expires_at} />
    </FormModal>
  );
}

function Subject({ form }: { form: ExceptionFormState }) {
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={words.about}
        data={[
          { value: 'category', label: words.abouts.category },
          { value: 'rule', label: words.abouts.rule },
        ]}
        {...form.getInputProps('about')}
      />
      {form.values.about === 'category' ? (
        <Select
          label={words.category}
          data={inspectedCategories.map((value) => ({ value, label: categoryLabel(value) }))}
          {...form.getInputProps('category')}
        />
      ) : (
        <RuleField form={form} />
      )}
    </>
  );
}

function Conditions(props: { form: ExceptionFormState; end: string | undefined }) {
  const { form, end } = props;
  const format = useTimeFormat();
  const lifetimes = Object.entries(words.lifetimes).map(([value, label]) => ({ value, label }));
  const kept = end === undefined ? [] : [{ value: 'kept', label: words.kept(format.dateTime(end)) }];
  return (
    <FieldGrid>
      <FullRow>
        <TextInput
          label={words.path}
          description={words.pathHelp}
          placeholder="/api/*"
          spellCheck={false}
          {...form.getInputProps('path')}
        />
      </FullRow>
      <FullRow>
        <TextInput
          label={words.parameter}
          description={words.parameterHelp}
          maxLength={256}
          spellCheck={false}
          {...form.getInputProps('parameter')}
        />
      </FullRow>
      <TextInput
        label={words.method}
        description={words.methodHelp}
        placeholder="POST"
        maxLength={64}
        spellCheck={false}
        {...form.getInputProps('method')}
      />
      <Select label={words.until} data={[...kept, ...lifetimes]} {...form.getInputProps('until')} />
      <FullRow>
        <TextInput
          label={words.note}
          description={words.noteHelp}
          maxLength={500}
          {...form.getInputProps('note')}
        />
      </FullRow>
    </FieldGrid>
  );
}
