import { Link, useRouterState } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import classes from './section-layout.module.css';

/** One entry of a screen's own list of sections. */
export interface Section {
  to: string;
  search?: Record<string, string>;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
}

/** A screen of several sections: their list at the left (a row on a narrow screen), the chosen one beside it. */
export function SectionLayout(props: { label: string; sections: readonly Section[]; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const address = useRouterState({ select: (state) => state.location.href });
  useEffect(() => {
    // In the narrow row the chosen entry may stand outside; only the row moves, never the page.
    const row = list.current;
    const chosen = address && row?.querySelector<HTMLElement>('[data-active]');
    if (row && chosen) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
  }, [address]);
  return (
    <div className={classes.layout}>
      <nav className={classes.nav} aria-label={props.label} ref={list}>
        {props.sections.map((section) => (
          <SectionLink key={section.label} section={section} />
        ))}
      </nav>
      <div className={classes.content}>{props.children}</div>
    </div>
  );
}

function SectionLink(props: { section: Section }) {
  const { to, search, label, icon: Icon } = props.section;
  return (
    <Link
      to={to}
      {...(search ? { search } : {})}
      className={classes.entry}
      activeOptions={{ exact: true, includeSearch: search !== undefined }}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
    >
      <Icon size={17} stroke={1.6} aria-hidden />
      <span>{label}</span>
    </Link>
  );
}
