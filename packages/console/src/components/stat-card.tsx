import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stat-card.module.css';

/** One figure: what it counts, how much, and its share or meaning. Shows its own shape while it loads. */
export function StatCard(props: {
  label: string;
  value: ReactNode;
  detail?: ReactNode;
  loading?: boolean;
  stale?: boolean;
  /** a sparkline beside the figure */
  aside?: ReactNode;
  /** a bar below the figure */
  children?: ReactNode;
}) {
  return (
    <div className={classes.card} data-stale={props.stale || undefined}>
      {props.aside ? <div className={classes.aside}>{props.aside}</div> : null}
      <div className={classes.label}>{props.label}</div>
      {props.loading ? (
        <Skeleton height={26} width="55%" mt={6} mb={4} />
      ) : (
        <div className={classes.value}>{props.value}</div>
      )}
      {props.detail === undefined ? null : (
        <div className={classes.detail}>
          {props.loading ? <Skeleton height={12} width="70%" /> : props.detail}
        </div>
      )}
      {props.children}
    </div>
  );
}
