import { ActionIcon } from '@mantine/core';
import { allows } from '@portcullis/contract/auth';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Hint } from '../../components/hint.tsx';
import { messages } from '../../lib/messages/index.ts';
import { useCurrentUser } from '../../lib/session/index.ts';
import type { MenuEntry } from './navigation.ts';
import { menu } from './navigation.ts';
import classes from './sidebar.module.css';

const words = messages.shell;

/** The main menu: only what the user may see; icons alone when collapsed. */
export function Sidebar(props: { collapsed: boolean; inDrawer?: boolean; onToggle?: () => void }) {
  const user = useCurrentUser();
  const entries = menu.filter((entry) => allows(user?.permissions ?? [], [entry.permission]));
  const toggleLabel = props.collapsed ? words.expandSidebar : words.collapseSidebar;
  return (
    <div className={classes.sidebar} data-collapsed={props.collapsed || undefined}>
      {props.inDrawer ? null : (
        <div className={classes.brandRow}>
          <Brand iconOnly={props.collapsed} />
        </div>
      )}
      <nav aria-label={words.mainNavigation} className={classes.nav}>
        {entries.map((entry) => (
          <Entry key={entry.to} entry={entry} collapsed={props.collapsed} />
        ))}
      </nav>
      {props.onToggle ? (
        <div className={classes.foot}>
          <Hint label={toggleLabel}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={toggleLabel}
              onClick={props.onToggle}
            >
              {props.collapsed ? <IconChevronRight size={18} /> : <IconChevronLeft size={18} />}
            </ActionIcon>
          </Hint>
        </div>
      ) : null}
    </div>
  );
}

function Entry(props: { entry: MenuEntry; collapsed: boolean }) {
  const { to, label, icon: Icon } = props.entry;
  const link = (
    <Link
      to={to}
      className={classes.entry}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      {...(props.collapsed ? { 'aria-label': label } : {})}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
      {props.collapsed ? null : <span>{label}</span>}
    </Link>
  );
  return props.collapsed ? <Hint label={label}>{link}</Hint> : link;
}

/** The product's mark and name. */
export function Brand(props: { iconOnly?: boolean }) {
  return (
    <span className={classes.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" className={classes.markGround} />
        <path
          d="M7 26V14a9 9 0 0 1 18 0v12M12.5 26V8M19.5 26V8M7 15h18M7 21h18"
          className={classes.markLines}
        />
      </svg>
      {props.iconOnly ? null : <span className={classes.name}>{messages.common.productName}</span>}
    </span>
  );
}
