import { authEndpoints } from '@portcullis/contract/api';
import { IconAdjustments, IconApi, IconKey, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useId, useRef } from 'react';
import type { FlyoutHandle } from '../../components/flyout.tsx';
import { Flyout } from '../../components/flyout.tsx';
import { toast } from '../../components/toast.ts';
import { call } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { dropToken, useCurrentUser } from '../../lib/session/index.ts';
import classes from './user-menu.module.css';

const words = messages.shell;
const links = [
  { to: '/profile', label: words.profile, icon: IconUser },
  { to: '/profile/password', label: words.changePassword, icon: IconKey },
  { to: '/profile/2fa', label: words.twoFactor, icon: IconShieldLock },
  { to: '/profile/preferences', label: words.preferences, icon: IconAdjustments },
] as const;

/** Signs out here at once, and on the service as far as it answers. */
async function signOut(): Promise<void> {
  await call(authEndpoints.logout, {}).catch(() => undefined);
  dropToken();
  toast.signIn(words.signedOut);
}

/** Who is signed in, with their role, and the way to the own account. */
export function UserMenu() {
  const user = useCurrentUser();
  const id = useId();
  const flyout = useRef<FlyoutHandle>(null);
  if (!user) return null;
  const initial = (user.displayName || user.email).slice(0, 1).toUpperCase();
  const role = words.roles[user.role] ?? user.role;
  return (
    <>
      <button type="button" className={classes.button} popoverTarget={id} aria-haspopup="menu">
        <span className={classes.avatar} aria-hidden>
          {initial}
        </span>
        <span className={classes.words}>
          <span className={classes.email}>{user.email}</span>
          <span className={classes.role}>{role}</span>
          <span className="visually-hidden">{words.account}</span>
        </span>
      </button>
      <Flyout id={id} ref={flyout} onOpen={(panel) => itemsOf(panel)[0]?.focus()}>
        <Items email={user.email} role={role} onChosen={() => flyout.current?.close()} />
      </Flyout>
    </>
  );
}

function Items(props: { email: string; role: string; onChosen: () => void }) {
  return (
    <div className={classes.menu} role="menu" aria-label={words.account} onKeyDown={moveFocus}>
      <div className={classes.card} role="presentation">
        <div className={classes.email}>{props.email}</div>
        <div className={classes.role}>{props.role}</div>
      </div>
      {links.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          role="menuitem"
          tabIndex={-1}
          className={classes.item}
          onClick={props.onChosen}
        >
          <Icon size={16} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
      <a href="/api/docs" role="menuitem" tabIndex={-1} className={classes.item} onClick={props.onChosen}>
        <IconApi size={16} stroke={1.6} aria-hidden />
        {words.apiReference}
      </a>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={classes.item}
        onClick={() => {
          props.onChosen();
          void signOut();
        }}
      >
        <IconLogout size={16} stroke={1.6} aria-hidden />
        {words.signOut}
      </button>
    </div>
  );
}

const itemsOf = (panel: HTMLElement): HTMLElement[] => [
  ...panel.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];

/** Arrow keys, Home and End move within the menu, as the ARIA menu pattern has it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
  const last = items.length - 1;
  const targets: Record<string, number> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}
