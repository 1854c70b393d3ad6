import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconMoon, IconSun } from '@tabler/icons-react';
import { Hint } from '../../components/hint.tsx';
import { messages } from '../../lib/messages/index.ts';
import { useChooseTheme, useScheme } from '../../lib/preferences/index.ts';
import classes from './header.module.css';
import { NotificationBell } from './notification-bell.tsx';
import { SearchBox } from './search-box.tsx';
import { UserMenu } from './user-menu.tsx';

const words = messages.shell;

/** The top bar: title, search, theme, notifications, account. */
export function Header(props: { title: string; onMenu: () => void }) {
  return (
    <header className={classes.header}>
      <ActionIcon
        className={classes.menu}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={words.openMenu}
        onClick={props.onMenu}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <div className={classes.title} data-testid="header-title">
        {props.title}
      </div>
      <div className={classes.tools}>
        <SearchBox />
        <ThemeToggle />
        <NotificationBell />
        <UserMenu />
      </div>
    </header>
  );
}

function ThemeToggle() {
  const scheme = useScheme();
  const choose = useChooseTheme();
  const label = scheme === 'dark' ? words.toLight : words.toDark;
  return (
    <Hint label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        onClick={() => choose(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
      </ActionIcon>
    </Hint>
  );
}
