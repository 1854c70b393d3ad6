import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddressListAnswer } from '@portcullis/contract/access';
import { AddressListCreate } from '@portcullis/contract/access';
import { useQuery } from '@tanstack/react-query';
import { Switch } from '../../components/choices.tsx';
import { fieldErrorsOf, validateWith } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { useStartingValues } from '../../components/use-starting-values.ts';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { entryCount, sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './access.module.css';
import { useSaveList } from './access-queries.ts';
import type { ListValues } from './list-values.ts';
import { isFed, listValues, textProblem, typedProblem, withTyped } from './list-values.ts';
import { TemporaryField } from './temporary-field.tsx';

const words = messages.access.form;
const nameOnly = validateWith(AddressListCreate.pick({ name: true }));

function problems(values: ListValues): Record<string, string> {
  const text = textProblem(values.text);
  const typed = typedProblem(values.typed);
  return {
    ...nameOnly(values),
    ...(text === null ? {} : { text }),
    ...(typed === null ? {} : { typed }),
  };
}

/** Adds a list or edits one. */
export function ListForm(props: {
  opened: boolean;
  list: AddressListAnswer | undefined;
  onClose: () => void;
}) {
  const { opened, list } = props;
  const form = useForm<ListValues>({ initialValues: listValues(list), validate: problems });
  useStartingValues(form, opened, list, listValues);
  const save = useSaveList(list, props.onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  return (
    <FormModal
      opened={opened}
      title={list ? words.editTitle : words.addTitle}
      submit={list ? words.update : words.create}
      busyLabel={words.saving}
      busy={save.isPending}
      dirty={form.isDirty()}
      onClose={props.onClose}
      onSubmit={form.onSubmit((values) => save.mutate(withTyped(values, Date.now())))}
    >
      <TextInput label={words.name} maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <SegmentedControl
        fullWidth
        aria-label={words.action}
        data={[
          { value: 'block', label: messages.access.actions.block },
          { value: 'allow', label: messages.access.actions.allow },
        ]}
        {...form.getInputProps('action')}
      />
      <SiteSelect {...form.getInputProps('siteId')} />
      {list && isFed(list) ? (
        <p className={classes.fed}>{words.fed(formatCount(entryCount(list)), list.id)}</p>
      ) : (
        <Textarea
          label={words.entries}
          description={words.entriesHelp}
          classNames={{ input: classes.entries ?? '' }}
          rows={7}
          spellCheck={false}
          {...form.getInputProps('text')}
        />
      )}
      <TemporaryField form={form} />
      <Switch label={words.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormModal>
  );
}

function SiteSelect(props: { value?: string; onChange?: (value: string | null) => void }) {
  const sites = useQuery({ ...sitesQuery, enabled: usePermission('site:view') });
  const data = (sites.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label={words.site}
      allowDeselect={false}
      searchable
      data={[{ value: '', label: messages.access.everySite }, ...data]}
      {...props}
    />
  );
}
