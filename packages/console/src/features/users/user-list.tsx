import { Button } from '@mantine/core';
import type { User } from '@portcullis/contract/users';
import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useConfirm } from '../../components/confirm.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, SkeletonRows, Stale } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { useCurrentUser, usePermission } from '../../lib/session/index.ts';
import { userColumns } from './user-columns.tsx';
import type { UserFilter } from './user-filters.tsx';
import { noFilter, passes, UserFilters } from './user-filters.tsx';
import { useDeleteUser } from './users-queries.ts';

const words = messages.users;

/** The users that pass the filters, with what may be done to each. */
export function UserList(props: { users: UseQueryResult<User[]>; onEdit: (user: User) => void }) {
  const { data: all, isError, dataUpdatedAt } = props.users;
  const [filter, setFilter] = useState<UserFilter>(noFilter);
  const shown = useMemo(() => (all ?? []).filter((user) => passes(user, filter)), [all, filter]);
  const columns = useColumns(props.onEdit);
  return (
    <Panel
      title={words.list}
      note={all ? words.shown(formatCount(shown.length), formatCount(all.length)) : undefined}
      actions={<UserFilters filter={filter} onChange={setFilter} />}
      flush
    >
      {all === undefined ? (
        <SkeletonRows rows={5} label={words.loading} />
      ) : (
        <Stale since={isError ? dataUpdatedAt : undefined}>
          {shown.length > 0 ? (
            <DataTable label={words.list} columns={columns} rows={shown} rowKey={(user) => user.id} />
          ) : (
            <Nobody filtered={all.length > 0} onClear={() => setFilter(noFilter)} />
          )}
        </Stale>
      )}
    </Panel>
  );
}

function Nobody(props: { filtered: boolean; onClear: () => void }) {
  if (!props.filtered) return <EmptyState icon={IconUsers} title={words.empty} />;
  return (
    <EmptyState
      icon={IconUsers}
      title={words.noMatch}
      text={words.noMatchText}
      action={
        <Button variant="default" size="xs" onClick={props.onClear}>
          {words.clearFilters}
        </Button>
      }
    />
  );
}

function useColumns(onEdit: (user: User) => void) {
  const self = useCurrentUser()?.id;
  const mayEdit = usePermission('user:update');
  const mayDelete = usePermission('user:delete');
  const confirm = useConfirm();
  const { mutate, isPending, variables } = useDeleteUser();
  return userColumns({
    self,
    busy: isPending ? variables : undefined,
    onEdit: mayEdit ? onEdit : undefined,
    onDelete: mayDelete
      ? async ({ id, email }) => {
          const agreed = await confirm({
            title: words.deleteTitle(email),
            text: `${words.deleteQuestion} ${words.deleteText(email)}`,
            confirm: words.deleteConfirm,
            destructive: true,
          });
          if (agreed) mutate(id);
        }
      : undefined,
  });
}
