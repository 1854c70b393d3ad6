import type { ReactNode } from 'react';
import classes from './entry-card.module.css';

/** The one card of the screens before sign-in: mark, title, one line, then a form. */
export function EntryCard(props: { title: string; subtitle: string; children: ReactNode }) {
  return (
    <main className={classes.ground}>
      <div className={classes.card}>
        <svg width="40" height="40" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <rect width="32" height="32" rx="8" className={classes.markGround} />
          <path
            d="M7 26V14a9 9 0 0 1 18 0v12M12.5 26V8M19.5 26V8M7 15h18M7 21h18"
            className={classes.markLines}
          />
        </svg>
        <h1 className={classes.title}>{props.title}</h1>
        <p className={classes.subtitle}>{props.subtitle}</p>
        {props.children}
      </div>
    </main>
  );
}
