import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { messages } from '../lib/messages/index.ts';
import classes from './form-layout.module.css';

/** Fields two a row on a wide screen, one a row on a phone; `FullRow` takes the whole width. */
export function FieldGrid(props: { children: ReactNode }) {
  return <div className={classes.grid}>{props.children}</div>;
}

/** A field, or a group of switches, as wide as its panel. */
export function FullRow(props: { children: ReactNode }) {
  return <div className={classes.full}>{props.children}</div>;
}

/** Switches and checkboxes below each other. */
export function ChoiceList(props: { children: ReactNode }) {
  return <div className={classes.choices}>{props.children}</div>;
}

/** A form on a page: cannot be sent twice while busy, and not at all when it is only to be read. */
export function PageForm(props: {
  label: string;
  busy: boolean;
  readOnly?: boolean;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  return (
    <form
      className={classes.form}
      aria-label={props.label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.busy && !props.readOnly) props.onSubmit(event);
      }}
    >
      <fieldset className={classes.fieldset} disabled={props.readOnly ?? false}>
        {props.children}
      </fieldset>
    </form>
  );
}

/** The end of a form on a page: its one primary button, undo, and whether something is unsaved. */
export function SaveBar(props: {
  save: string;
  busyLabel: string;
  busy: boolean;
  dirty: boolean;
  onReset: () => void;
}) {
  const words = messages.common;
  return (
    <div className={classes.bar}>
      <span className={classes.unsaved} role="status">
        {props.dirty ? words.unsaved : ''}
      </span>
      <Button variant="default" disabled={props.busy || !props.dirty} onClick={props.onReset}>
        {words.reset}
      </Button>
      <Button type="submit" disabled={props.busy} aria-busy={props.busy}>
        {props.busy ? props.busyLabel : props.save}
      </Button>
    </div>
  );
}
