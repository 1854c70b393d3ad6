import type { ReactNode } from 'react';
import classes from './figures.module.css';

/** Some figures beside each other, as many in a row as fit. */
export function Figures(props: { children: ReactNode }) {
  return <dl className={classes.figures}>{props.children}</dl>;
}

/** One of {@link Figures}: what it counts above how much. Children stand below, such as a bar. */
export function Figure(props: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        {props.value}
        {props.children}
      </dd>
    </div>
  );
}
