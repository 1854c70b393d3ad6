import { Button } from '@mantine/core';
import type { AddressListAnswer } from '@portcullis/contract/access';
import { IconListCheck, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { toast } from '../../components/toast.ts';
import { errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { addressListsQuery, entriesOf } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { BanPanel } from './ban-panel.tsx';
import { ListForm } from './list-form.tsx';
import { ListTable } from './list-table.tsx';
import { isFed } from './list-values.ts';

const words = messages.access;

/** Who is always let in and who is always refused. */
export function AccessScreen() {
  const lists = useQuery(addressListsQuery);
  const [form, setForm] = useState<{ opened: boolean; list: AddressListAnswer | undefined }>({
    opened: false,
    list: undefined,
  });
  const edit = useMutation({
    mutationFn: async (list: AddressListAnswer) =>
      isFed(list) ? list : { ...list, entries: await entriesOf(list) },
    onSuccess: (list) => setForm({ opened: true, list }),
    onError: (error) => toast.error(errorText(error, words.loadFailed)),
  });
  const { list: wanted } = useSearch({ from: '/signed-in/address-lists' });
  const mayEdit = usePermission('rule:update');
  const [toOpen, setToOpen] = useState(mayEdit ? wanted : undefined);
  useEffect(() => {
    if (toOpen === undefined || !lists.data) return;
    const list = lists.data.find(({ id }) => id === toOpen);
    setToOpen(undefined);
    if (list) edit.mutate(list);
  }, [toOpen, lists.data, edit]);
  const add = (
    <Allowed anyOf={['rule:create']}>
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setForm({ opened: true, list: undefined })}
      >
        {words.add}
      </Button>
    </Allowed>
  );
  return (
    <Page title={words.title} purpose={words.subtitle} actions={add}>
      <Panel title={words.title} flush>
        {lists.data ? (
          <Stale since={lists.isError ? lists.dataUpdatedAt : undefined}>
            {lists.data.length === 0 ? (
              <EmptyState icon={IconListCheck} title={words.none} text={words.noneText} />
            ) : (
              <ListTable lists={lists.data} onEdit={edit.mutate} />
            )}
          </Stale>
        ) : lists.isError ? (
          <ErrorState title={words.loadFailed} busy={lists.isFetching} onRetry={() => void lists.refetch()} />
        ) : (
          <SkeletonRows rows={4} label={messages.common.loading} />
        )}
      </Panel>
      <BanPanel />
      <ListForm {...form} onClose={() => setForm((shown) => ({ ...shown, opened: false }))} />
    </Page>
  );
}
