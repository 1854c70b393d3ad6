import classes from './connection-state.module.css';

/** How a live connection stands: a dot, always with its word, told to screen readers when it changes. */
export function ConnectionState(props: { tone: 'good' | 'bad' | 'waiting' | 'off'; label: string }) {
  return (
    <span className={classes.connection} data-tone={props.tone} role="status">
      <span className={classes.dot} aria-hidden />
      {props.label}
    </span>
  );
}
