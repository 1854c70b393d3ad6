import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import type { AuditEntry } from '@portcullis/contract/events';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/choices.tsx';
import { ChoiceList } from '../../components/form-layout.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { useExceptionSave } from '../../components/use-exception-save.ts';
import { useLiftBan } from '../../components/use-lift-ban.ts';
import { useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { banOfQuery, clientAddress } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './allow-modal.module.css';
import type { AllowValues } from './allow-values.ts';
import { allowedParameter, consequence, exceptionsOf, firstValues } from './allow-values.ts';

const words = messages.logs.allow;
const lifetimes = Object.entries(words.lifetimes).map(([value, label]) => ({ value, label }));

/** Stops inspecting what was wrongly found in one event, as narrowly as the operator wants. */
export function AllowModal(props: { entry: AuditEntry; opened: boolean; onClose: () => void }) {
  const { entry } = props;
  const format = useTimeFormat();
  const form = useForm<AllowValues>({
    initialValues: firstValues(entry),
    validate: { path: (path) => (path === '' || path.startsWith('/') ? null : words.pathStart) },
  });
  const seesBans = usePermission('rule:view');
  const mayLift = usePermission('rule:update');
  const ban = useQuery({
    ...banOfQuery(clientAddress(entry)),
    enabled: props.opened && seesBans && mayLift,
  });
  const [lifts, setLifts] = useState(true);
  const lift = useLiftBan();
  const allow = useExceptionSave(entry.siteId ?? '', {
    made: (values: AllowValues, now) => exceptionsOf(entry, values, now),
    words,
    setErrors: form.setErrors,
    onSaved: () => {
      if (lifts && ban.data) lift.mutate(ban.data);
      props.onClose();
    },
  });
  return (
    <FormModal
      opened={props.opened}
      title={words.title}
      submit={words.submit}
      busyLabel={words.saving}
      busy={allow.isPending}
      dirty={form.isDirty()}
      onClose={props.onClose}
      onSubmit={form.onSubmit((values) => allow.mutate(values))}
    >
      <AllowFields entry={entry} form={form} />
      {ban.data ? (
        <Checkbox
          label={words.liftBan(ban.data.address, format.dateTime(ban.data.until))}
          checked={lifts}
          onChange={(event) => setLifts(event.currentTarget.checked)}
        />
      ) : null}
    </FormModal>
  );
}

function AllowFields(props: { entry: AuditEntry; form: UseFormReturnType<AllowValues> }) {
  const { entry, form } = props;
  const parameters = [...new Set((entry.matches ?? []).map(allowedParameter))];
  const named = parameters.filter((name) => name !== undefined);
  return (
    <>
      <p className={classes.consequence} role="status">
        {consequence(entry, form.values)}
      </p>
      <div>
        <p className={classes.label}>{words.what}</p>
        <SegmentedControl
          fullWidth
          aria-label={words.what}
          data={[
            { value: 'rules', label: words.whatRules },
            { value: 'categories', label: words.whatCategories },
          ]}
          {...form.getInputProps('what')}
        />
      </div>
      <TextInput
        label={words.path}
        description={words.pathHelp}
        spellCheck={false}
        {...form.getInputProps('path')}
      />
      <ChoiceList>
        {named.length > 0 ? (
          <Checkbox
            label={words.onlyParameters(words.listed(named.map(words.quoted)))}
            {...form.getInputProps('onlyParameters', { type: 'checkbox' })}
          />
        ) : null}
        {entry.method ? (
          <Checkbox
            label={words.onlyMethod(entry.method)}
            {...form.getInputProps('onlyMethod', { type: 'checkbox' })}
          />
        ) : null}
      </ChoiceList>
      <Select
        label={words.lifetime}
        data={lifetimes}
        allowDeselect={false}
        {...form.getInputProps('lifetime')}
      />
      <TextInput
        label={words.note}
        description={words.noteHelp}
        maxLength={500}
        {...form.getInputProps('note')}
      />
    </>
  );
}
