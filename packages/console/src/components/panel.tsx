import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel.module.css';

/** A titled part of a screen. `flush` lets a table or list run to its edges. Panels are never nested. */
export function Panel(props: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id}>
          {props.title}
        </h2>
        {props.note ? <span className={classes.note}>{props.note}</span> : null}
        {props.actions ? <div className={classes.actions}>{props.actions}</div> : null}
      </div>
      <div className={props.flush ? classes.flush : classes.body}>{props.children}</div>
    </section>
  );
}
