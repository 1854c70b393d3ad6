import type { ReactNode } from 'react';
import classes from './ranked-bars.module.css';

/** One row of a ranking. */
export interface RankedRow {
  key: string;
  /** what it counts, as a link to the events behind it */
  label: ReactNode;
  value: number;
  tone?: 'requests' | 'blocked' | 'challenged' | 'ok';
}

/**
 * A ranking as bars: name, bar from zero, figure.
 * @param props.label what is ranked, for screen readers
 * @param props.across a few rows beside each other, where there is room
 */
export function RankedBars(props: {
  label: string;
  across?: boolean;
  rows: readonly RankedRow[];
  formatValue: (value: number) => string;
}) {
  const most = Math.max(1, ...props.rows.map(({ value }) => value));
  return (
    <ol className={classes.rows} data-across={props.across || undefined} aria-label={props.label}>
      {props.rows.map(({ key, label, value, tone = 'blocked' }) => (
        <li key={key} className={classes.row} data-tone={tone}>
          <span className={classes.label}>{label}</span>
          <span className={classes.value}>{props.formatValue(value)}</span>
          <span className={classes.track} aria-hidden>
            {value > 0 ? (
              <span className={classes.bar} style={{ width: `${(value / most) * 100}%` }} />
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
