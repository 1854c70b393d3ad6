import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of one thing, a line each. */
export function Facts(props: { children: ReactNode }) {
  return <dl className={classes.facts}>{props.children}</dl>;
}

/** One line of {@link Facts}: its name beside its value. */
export function Fact(props: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
