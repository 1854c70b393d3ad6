import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { TemporaryEntry } from '@portcullis/contract/access';
import { IconX } from '@tabler/icons-react';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import classes from './access.module.css';
import type { ListValues } from './list-values.ts';
import { typedProblem, withTyped } from './list-values.ts';

const words = messages.access.form.temporary;
const lifetimes = Object.entries(words.lifetimes).map(([value, label]) => ({
  value: value as Lifetime,
  label,
}));

/** Addresses with their ends, and a field to add one. */
export function TemporaryField({ form }: { form: UseFormReturnType<ListValues> }) {
  const { typed, temporary, lifetime } = form.values;
  const add = () => {
    const problem = typedProblem(typed);
    if (problem === null) form.setValues(withTyped(form.getValues(), Date.now()));
    else form.setFieldError('typed', problem);
  };
  return (
    <div>
      <div className={classes.adding}>
        <TextInput
          className={classes.address}
          label={words.label}
          description={words.help}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          spellCheck={false}
          {...form.getInputProps('typed')}
          error={form.errors.typed ?? form.errors.temporary}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Select
          className={classes.lifetime}
          aria-label={words.lifetime}
          data={lifetimes}
          allowDeselect={false}
          value={lifetime}
          onChange={(chosen) => form.setFieldValue('lifetime', chosen as Lifetime)}
        />
        <Button className={classes.add} variant="default" aria-label={words.add} onClick={add}>
          {messages.common.add}
        </Button>
      </div>
      <Entries value={temporary} onChange={(value) => form.setFieldValue('temporary', value)} />
    </div>
  );
}

function Entries(props: { value: readonly TemporaryEntry[]; onChange: (value: TemporaryEntry[]) => void }) {
  const { value, onChange } = props;
  if (value.length === 0) return null;
  return (
    <ul className={classes.temporary} aria-label={words.label}>
      {value.map((one) => (
        <li key={one.entry}>
          <span className={classes.named}>
            <Mono>{one.entry}</Mono>
            <span className={classes.until}>
              {words.until} <Moment at={one.expires_at} />
            </span>
          </span>
          <ActionIcon
            variant="transparent"
            color="gray"
            size={20}
            aria-label={messages.common.remove(one.entry)}
            onClick={() => onChange(value.filter((other) => other !== one))}
          >
            <IconX size={13} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
