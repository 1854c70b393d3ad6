import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import { type ConfigurationImportResult, maxDocumentBytes } from '@portcullis/contract/configuration';
import { useEffect } from 'react';
import { FileText } from '../../components/file-text.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Banner } from '../../components/states.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { ChangeList } from './change-list.tsx';
import classes from './configuration.module.css';
import { useImport } from './configuration-queries.ts';

const words = messages.configuration.import;

interface Values {
  document: string;
  passphrase: string;
  reason: string;
}
const start: Values = { document: '', passphrase: '', reason: '' };

/** Reads a file, shows what it would change, and applies just that. */
export function ImportModal(props: { opened: boolean; onClose: () => void }) {
  const form = useForm<Values>({
    initialValues: start,
    validate: (values) => (values.document.trim() === '' ? { document: words.documentRequired } : {}),
  });
  const send = useImport();
  const { reset } = form;
  const forget = send.reset;
  useEffect(() => {
    if (!props.opened) return;
    reset();
    forget();
  }, [props.opened, reset, forget]);
  const compared = send.data?.applied === false ? send.data : undefined;
  const submit = (values: Values) => {
    if (compared === undefined) send.mutate(values);
    else send.mutate({ ...values, base: compared.version }, { onSuccess: props.onClose });
  };
  const applying = send.isPending && send.variables.base !== undefined;
  return (
    <FormModal
      opened={props.opened}
      title={words.title}
      submit={compared ? words.apply : words.compare}
      busyLabel={applying ? words.applying : words.comparing}
      busy={send.isPending}
      submitDisabled={compared?.changes.length === 0}
      dirty={form.isDirty()}
      size={820}
      aside={
        compared ? (
          <Button variant="subtle" onClick={forget}>
            {words.back}
          </Button>
        ) : null
      }
      onClose={props.onClose}
      onSubmit={form.onSubmit(submit)}
    >
      {compared ? <Compared result={compared} form={form} /> : <File form={form} error={send.error} />}
    </FormModal>
  );
}

type Form = UseFormReturnType<Values>;

function File(props: { form: Form; error: Error | null }) {
  const { form, error } = props;
  return (
    <>
      <p className={classes.dim}>{words.text}</p>
      {error ? <Refusal error={error} /> : null}
      <FileText
        label={words.document}
        accept=".yaml,.yml,.txt"
        maxBytes={maxDocumentBytes}
        rows={14}
        {...form.getInputProps('document')}
      />
      <PasswordInput
        label={words.passphrase}
        description={words.passphraseHelp}
        autoComplete="off"
        {...form.getInputProps('passphrase')}
      />
    </>
  );
}

function Refusal(props: { error: Error }) {
  const issues = props.error instanceof ApiError ? props.error.issues : [];
  return (
    <Banner tone="danger">
      <strong>{words.refused}.</strong> {props.error.message}
      {issues.length > 0 ? (
        <ul className={classes.issues} aria-label={words.issues}>
          {issues.map(({ path, message, line }) => (
            <li key={`${line} ${path} ${message}`}>
              {line === undefined ? null : <strong>{words.line(line)}</strong>} <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </Banner>
  );
}

function Compared(props: { result: ConfigurationImportResult; form: Form }) {
  const { changes, notes } = props.result;
  return (
    <>
      <p className={classes.sentence} role="status">
        {changes.length === 0 ? words.nothing : words.would(changes.length)}
      </p>
      {notes.map((note) => (
        <Banner key={note} tone="warning">
          {note}
        </Banner>
      ))}
      {changes.length === 0 ? null : (
        <>
          <TextInput
            label={words.reason}
            description={words.reasonHelp}
            maxLength={200}
            {...props.form.getInputProps('reason')}
          />
          <ChangeList changes={changes} />
        </>
      )}
    </>
  );
}
