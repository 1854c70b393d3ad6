import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import type { TemporaryEntry } from '@portcullis/contract/access';
import { parseNetwork } from '@portcullis/contract/access';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import { endOf } from '../../lib/queries/index.ts';
import classes from './access.module.css';

const words = messages.access.form.temporary;
const lifetimes = Object.entries(words.lifetimes).map(([value, label]) => ({
  value: value as Lifetime,
  label,
}));

interface Props {
  value: readonly TemporaryEntry[];
  /** of what was sent */
  error: ReactNode;
  onChange: (value: TemporaryEntry[]) => void;
}

/** Addresses with their ends, and a field to add one. */
export function TemporaryField({ value, error: refused, onChange }: Props) {
  const [text, setText] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('day');
  const [error, setError] = useState<string>();
  const add = () => {
    const entry = text.trim().toLowerCase();
    if (entry === '') return;
    if (parseNetwork(entry) === undefined) return setError(words.bad(entry));
    const expires_at = endOf(lifetime, Date.now());
    const others = value.filter((one) => one.entry !== entry);
    if (expires_at !== undefined) onChange([...others, { entry, expires_at }]);
    setText('');
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
          error={error ?? refused}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
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
          onChange={(chosen) => setLifetime(chosen as Lifetime)}
        />
        <Button className={classes.add} variant="default" aria-label={words.add} onClick={add}>
          {messages.common.add}
        </Button>
      </div>
      <Entries value={value} onChange={onChange} />
    </div>
  );
}

function Entries({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
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
