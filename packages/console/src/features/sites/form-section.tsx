import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './form-section.module.css';

/** A titled group of fields: the title and its one line at the left, the fields at the right. */
export function FormSection(props: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id} tabIndex={-1}>
      <div>
        <h3 className={classes.title} id={id}>
          {props.title}
        </h3>
        {props.text ? <p className={classes.text}>{props.text}</p> : null}
      </div>
      <div className={classes.fields}>{props.children}</div>
    </section>
  );
}

/** Fields beside each other, where there is room. */
export function FieldRow(props: { children: ReactNode }) {
  return <div className={classes.row}>{props.children}</div>;
}
