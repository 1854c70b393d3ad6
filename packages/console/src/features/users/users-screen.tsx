import { Button } from '@mantine/core';
import type { User } from '@portcullis/contract/users';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CardRow, Page } from '../../components/page.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { ErrorState } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { UserForm } from './user-form.tsx';
import { UserList } from './user-list.tsx';
import { usersQuery } from './users-queries.ts';

const words = messages.users;

/** Who may sign in, and with which role. */
export function UsersScreen() {
  const users = useQuery(usersQuery);
  const [form, setForm] = useState<{ opened: boolean; user?: User }>({ opened: false });
  const add = (
    <Allowed anyOf={['user:create']}>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setForm({ opened: true })}>
        {words.createUser}
      </Button>
    </Allowed>
  );
  if (users.isError && !users.data) {
    return (
      <Page title={words.title} purpose={words.subtitle}>
        <ErrorState
          title={words.failedTitle}
          text={words.failedText}
          busy={users.isFetching}
          onRetry={() => void users.refetch()}
        />
      </Page>
    );
  }
  return (
    <Page title={words.title} purpose={words.subtitle} actions={add}>
      <Counters users={users.data} stale={users.isError} />
      <UserList users={users} onEdit={(user) => setForm({ opened: true, user })} />
      <UserForm {...form} onClose={() => setForm((shown) => ({ ...shown, opened: false }))} />
    </Page>
  );
}

function Counters(props: { users: readonly User[] | undefined; stale: boolean }) {
  const { users = [], stale } = props;
  const loading = props.users === undefined;
  const having = (role: string) => formatCount(users.filter((user) => user.role === role).length);
  return (
    <CardRow>
      <StatCard label={words.totalUsers} value={formatCount(users.length)} loading={loading} stale={stale} />
      <StatCard label={words.administrators} value={having('admin')} loading={loading} stale={stale} />
      <StatCard label={words.operators} value={having('operator')} loading={loading} stale={stale} />
      <StatCard label={words.viewers} value={having('viewer')} loading={loading} stale={stale} />
    </CardRow>
  );
}
