import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { messages } from '../lib/messages/index.ts';
import { Mono } from './mono.tsx';
import classes from './string-list.module.css';

interface Props {
  label: string;
  description?: string;
  placeholder?: string;
  /** names the Add button: 'Add origin' */
  add: string;
  values: readonly string[];
  disabled?: boolean;
  error?: string | undefined;
  onChange: (values: string[]) => void;
}

/** A list of short texts: a field with an Add button, which ignores empty input and repeats, and what was added. */
export function StringList(props: Props) {
  const [text, setText] = useState('');
  const add = () => {
    const value = text.trim();
    setText('');
    if (value !== '' && !props.values.includes(value)) props.onChange([...props.values, value]);
  };
  return (
    <div>
      <div className={classes.entry}>
        <TextInput
          className={classes.field}
          label={props.label}
          description={props.description}
          placeholder={props.placeholder}
          spellCheck={false}
          disabled={props.disabled ?? false}
          error={props.error}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button
          className={classes.add}
          variant="default"
          disabled={props.disabled ?? false}
          onClick={add}
          aria-label={props.add}
        >
          {messages.common.add}
        </Button>
      </div>
      <Values {...props} />
    </div>
  );
}

function Values(props: Props) {
  if (props.values.length === 0) return null;
  return (
    <ul className={classes.values} aria-label={props.label}>
      {props.values.map((value) => (
        <li key={value}>
          <Mono>{value}</Mono>
          <ActionIcon
            variant="transparent"
            color="gray"
            size={20}
            disabled={props.disabled ?? false}
            aria-label={messages.common.remove(value)}
            onClick={() => props.onChange(props.values.filter((other) => other !== value))}
          >
            <IconX size={13} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
