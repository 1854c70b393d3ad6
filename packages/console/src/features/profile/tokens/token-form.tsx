import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApiTokenCreated, Permission } from '@portcullis/contract/auth';
import { canonicalPermission } from '@portcullis/contract/auth';
import { useEffect } from 'react';
import { fieldErrorsOf } from '../../../components/form-errors.ts';
import { FormModal } from '../../../components/form-modal.tsx';
import { messages } from '../../../lib/messages/index.ts';
import { useCurrentUser } from '../../../lib/session/index.ts';
import { useCreateToken } from './token-queries.ts';
import classes from './tokens.module.css';

const words = messages.profile.tokens;
const expiries = Object.entries(words.expiries).map(([value, label]) => ({ value, label }));

interface Values {
  name: string;
  permissions: string[];
  /** days, or `never` */
  expires: string;
}

const empty: Values = { name: '', permissions: [], expires: '90' };

function problems(values: Values): Record<string, string> {
  const found: Record<string, string> = {};
  if (values.name.trim() === '') found['name'] = words.nameRequired;
  if (values.permissions.length === 0) found['permissions'] = words.permissionsRequired;
  return found;
}

/** Adds an API token with some of the own permissions. */
export function TokenForm(props: {
  opened: boolean;
  onClose: () => void;
  onCreated: (created: ApiTokenCreated) => void;
}) {
  const form = useForm<Values>({ initialValues: empty, validate: problems });
  const { reset } = form;
  useEffect(() => {
    if (props.opened) reset();
  }, [props.opened, reset]);
  const create = useCreateToken(props.onCreated, (error) => form.setErrors(fieldErrorsOf(error)));
  const submit = form.onSubmit(
    ({ name, permissions, expires }) =>
      create.mutate({
        name: name.trim(),
        permissions: permissions as Permission[],
        expiresInDays: expires === 'never' ? null : Number(expires),
      }),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  );
  return (
    <FormModal
      opened={props.opened}
      title={words.create}
      submit={words.create}
      busyLabel={words.creating}
      busy={create.isPending}
      dirty={form.isDirty()}
      onClose={props.onClose}
      onSubmit={() => submit()}
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        maxLength={80}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select label={words.expires} data={expiries} {...form.getInputProps('expires')} />
      <Checkbox.Group
        label={words.permissions}
        description={words.permissionsHelp}
        {...form.getInputProps('permissions')}
      >
        <OwnPermissions />
      </Checkbox.Group>
    </FormModal>
  );
}

function OwnPermissions() {
  const held = useCurrentUser()?.permissions ?? [];
  const own = [...new Set(held.map(canonicalPermission))].filter((permission) => permission !== undefined);
  return (
    <div className={classes.permissions}>
      {own.map((permission) => (
        <Checkbox key={permission} value={permission} label={permission} size="sm" />
      ))}
    </div>
  );
}
