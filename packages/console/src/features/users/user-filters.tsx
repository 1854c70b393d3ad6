import { SegmentedControl, TextInput } from '@mantine/core';
import type { User } from '@portcullis/contract/users';
import { roles } from '@portcullis/contract/users';
import { IconSearch } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import classes from './user-filters.module.css';

const words = messages.users;

/** Which users are shown: part of an email address, and a role or all. */
export interface UserFilter {
  email: string;
  role: string;
}

export const noFilter: UserFilter = { email: '', role: 'all' };

const choices = (['all', ...roles] as const).map((role) => ({ value: role, label: words.roleFilters[role] }));

/** @returns whether the user is shown; upper and lower case are the same */
export function passes(user: User, filter: UserFilter): boolean {
  const wanted = filter.email.trim().toLowerCase();
  return (filter.role === 'all' || user.role === filter.role) && user.email.toLowerCase().includes(wanted);
}

/** Search by email, and the role filter. */
export function UserFilters(props: { filter: UserFilter; onChange: (filter: UserFilter) => void }) {
  const { filter, onChange } = props;
  return (
    <div className={classes.filters}>
      <TextInput
        className={classes.search}
        size="xs"
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.email}
        onChange={(event) => onChange({ ...filter, email: event.currentTarget.value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={words.roleFilter}
        data={choices}
        value={filter.role}
        onChange={(role) => onChange({ ...filter, role })}
      />
    </div>
  );
}
