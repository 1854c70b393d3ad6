import type { ReactNode } from 'react';
import classes from './page.module.css';

/** A screen: title and one-line purpose, actions at the right, then content in one rhythm. */
export function Page(props: { title: string; purpose?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h1 className={classes.title}>{props.title}</h1>
          {props.purpose ? <p className={classes.purpose}>{props.purpose}</p> : null}
        </div>
        {props.actions ? <div className={classes.actions}>{props.actions}</div> : null}
      </div>
      {props.children}
    </div>
  );
}

/** A row of equal cards that wraps by itself. */
export function CardRow(props: { children: ReactNode }) {
  return <div className={classes.cards}>{props.children}</div>;
}

/**
 * Columns beside each other on a wide screen, below each other on a narrow one: wide part first.
 * @param props.stacked below each other on a wide one too: what would stand in the narrow part is too little for its height
 */
export function Columns(props: { stacked?: boolean; children: ReactNode }) {
  return (
    <div className={classes.columns} data-stacked={props.stacked || undefined}>
      {props.children}
    </div>
  );
}
