import { Menu, UnstyledButton } from '@mantine/core';
import { endpoints } from '@portcullis/contract/api';
import { IconAdjustments, IconKey, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { toast } from '../../components/toast.ts';
import { call } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { dropToken, useCurrentUser } from '../../lib/session/index.ts';
import classes from './user-menu.module.css';

const words = messages.shell;

/** Signs out here at once, and on the service as far as it answers. */
async function signOut(): Promise<void> {
  await call(endpoints.auth.logout, {}).catch(() => undefined);
  dropToken();
  toast.signIn(words.signedOut);
}

/** Who is signed in, with their role, and the way to the own account. */
export function UserMenu() {
  const user = useCurrentUser();
  if (!user) return null;
  const initial = (user.displayName || user.email).slice(0, 1).toUpperCase();
  const role = words.roles[user.role] ?? user.role;
  return (
    <Menu position="bottom-end" width={250} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className={classes.avatar} aria-hidden>
            {initial}
          </span>
          <span className={classes.words}>
            <span className={classes.email}>{user.email}</span>
            <span className={classes.role}>{role}</span>
            <span className="visually-hidden">{words.account}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.card}>
          <div className={classes.email}>{user.email}</div>
          <div className={classes.role}>{role}</div>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} stroke={1.6} />}>
          {words.profile}
        </Menu.Item>
        <Menu.Item component={Link} to="/profile/password" leftSection={<IconKey size={16} stroke={1.6} />}>
          {words.changePassword}
        </Menu.Item>
        <Menu.Item component={Link} to="/profile/2fa" leftSection={<IconShieldLock size={16} stroke={1.6} />}>
          {words.twoFactor}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/profile/preferences"
          leftSection={<IconAdjustments size={16} stroke={1.6} />}
        >
          {words.preferences}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void signOut()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
