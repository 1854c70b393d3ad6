import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ConfigurationExport } from '@portcullis/contract/configuration';
import { useEffect } from 'react';
import { Checkbox } from '../../components/choices.tsx';
import { fieldErrorsOf, validateWith } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './configuration.module.css';
import { useExport } from './configuration-queries.ts';
import { useMayChangeAll } from './permissions.ts';

const words = messages.configuration.export;
const start = { sealed: false, passphrase: '' };
const check = validateWith(ConfigurationExport);

/** Downloads the whole configuration as a file. */
export function ExportModal(props: { opened: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: start,
    validate: (values) => (values.sealed ? check(values) : {}),
  });
  const { reset } = form;
  useEffect(() => {
    if (props.opened) reset();
  }, [props.opened, reset]);
  const save = useExport(props.onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  const maySeal = useMayChangeAll();
  return (
    <FormModal
      opened={props.opened}
      title={words.title}
      submit={words.submit}
      busyLabel={words.busy}
      busy={save.isPending}
      dirty={false}
      size={480}
      onClose={props.onClose}
      onSubmit={form.onSubmit(({ sealed, passphrase }) => save.mutate(sealed ? passphrase : undefined))}
    >
      <p className={classes.dim}>{words.text}</p>
      {maySeal ? (
        <Checkbox
          label={words.sealed}
          description={words.sealedHelp}
          {...form.getInputProps('sealed', { type: 'checkbox' })}
        />
      ) : null}
      {form.values.sealed ? (
        <PasswordInput
          label={words.passphrase}
          autoComplete="new-password"
          {...form.getInputProps('passphrase')}
        />
      ) : null}
    </FormModal>
  );
}
