import { ActionIcon, Tooltip } from '@mantine/core';
import type { User } from '@portcullis/contract/users';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Moment, RelativeTime } from '../../components/moment.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './user-columns.module.css';

const words = messages.users;

/** What may be done to a user from the list; absent where the permission is missing. */
interface UserActs {
  self: string | undefined;
  /** whose deletion is on its way */
  busy: string | undefined;
  onEdit: ((user: User) => void) | undefined;
  onDelete: ((user: User) => Promise<void>) | undefined;
}

/** The columns of the user list. */
export function userColumns(acts: UserActs): Column<User>[] {
  const columns: Column<User>[] = [
    {
      key: 'user',
      header: words.columns.user,
      primary: true,
      cell: (user) => <Who user={user} self={acts.self} />,
    },
    { key: 'role', header: words.columns.role, cell: (user) => roleName(user.role) },
    { key: '2fa', header: words.columns.twoFactor, cell: (user) => <TwoFactor user={user} /> },
    {
      key: 'login',
      header: words.columns.lastLogin,
      cell: (user) =>
        user.last_login ? (
          <RelativeTime at={user.last_login} />
        ) : (
          <span className={classes.dim}>{words.never}</span>
        ),
    },
    {
      key: 'created',
      header: words.columns.created,
      cell: (user) => (user.created_at ? <Moment at={user.created_at} part="date" /> : '–'),
    },
  ];
  if (!acts.onEdit && !acts.onDelete) return columns;
  return [
    ...columns,
    {
      key: 'acts',
      header: words.columns.actions,
      align: 'end',
      quiet: true,
      corner: true,
      cell: (user) => <Acts user={user} acts={acts} />,
    },
  ];
}

function roleName(role: string): string {
  return messages.shell.roles[role] ?? role;
}

function Who(props: { user: User; self: string | undefined }) {
  const { email, displayName, id, disabled } = props.user;
  return (
    <div className={classes.who}>
      <span className={classes.avatar} aria-hidden>
        {(displayName || email).slice(0, 1).toUpperCase()}
      </span>
      <span className={classes.names}>
        <span className={classes.email}>
          <span className={classes.address} title={email}>
            {email}
          </span>
          {id === props.self ? <Badge tone="neutral">{words.you}</Badge> : null}
          {disabled ? <Badge tone="warning">{words.signInOff}</Badge> : null}
        </span>
        {displayName ? <span className={classes.dim}>{displayName}</span> : null}
      </span>
    </div>
  );
}

function TwoFactor(props: { user: User }) {
  return props.user.totp_enabled ? (
    <Badge tone="ok">{words.twoFactorOn}</Badge>
  ) : (
    <Badge tone="neutral">{words.twoFactorOff}</Badge>
  );
}

function Acts(props: { user: User; acts: UserActs }) {
  const { user } = props;
  const { self, busy, onEdit, onDelete } = props.acts;
  const edit = words.editOf(user.email);
  const own = user.id === self;
  const remove = words.deleteOf(user.email);
  return (
    <div className={classes.acts}>
      {onEdit ? (
        <Tooltip label={words.editUser}>
          <ActionIcon variant="subtle" color="gray" aria-label={edit} onClick={() => onEdit(user)}>
            <IconPencil size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : null}
      {onDelete ? (
        <Tooltip label={own ? words.cannotDeleteSelf : words.deleteConfirm}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={own ? words.cannotDeleteSelf : remove}
            {...(own ? { 'aria-disabled': true, className: classes.refused ?? '' } : {})}
            loading={busy === user.id}
            onClick={() => (own ? undefined : void onDelete(user))}
          >
            <IconTrash size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </div>
  );
}
