import { Button } from '@mantine/core';
import { endpoints } from '@portcullis/contract/api';
import type { AdminAuditEntry } from '@portcullis/contract/events';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { Banner, EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { formatCount } from '../../lib/format/index.ts';
import { actionLabel } from '../../lib/messages/actions.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './history-panel.module.css';

type Entry = z.infer<typeof AdminAuditEntry>;

const words = messages.logs.admin;
const pageSize = 50;
const adminKey = ['audit', 'admin'];

const columns: Column<Entry>[] = [
  {
    key: 'time',
    header: words.columns.time,
    cell: ({ timestamp }) => (
      <span className={classes.time}>
        <Moment at={timestamp} />
      </span>
    ),
  },
  { key: 'actor', header: words.columns.actor, cell: ({ actor }) => actor },
  { key: 'ip', header: words.columns.ip, cell: ({ ip }) => <Mono max={20}>{ip}</Mono> },
  { key: 'message', header: words.columns.message, primary: true, cell: ({ message }) => message },
  { key: 'action', header: words.columns.action, cell: ({ action }) => <Action code={action} /> },
];

/** What it was in words, its code small below: that is what a script that reads the export looks for. */
function Action(props: { code: string }) {
  return (
    <div className={classes.action}>
      <span>{actionLabel(props.code)}</span>
      <Mono dim>{props.code}</Mono>
    </div>
  );
}

/** Has every entry looked at anew, for of those that were looked at before a later change is not seen. */
function CheckAll() {
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () => call(endpoints.events.verify, {}),
    onSuccess: ({ brokenAt, checked }) => {
      if (brokenAt === null) toast.success(words.checked(formatCount(checked)));
      else toast.error(words.broken(brokenAt));
    },
    onError: (error) => toast.error(errorText(error, words.checkFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: adminKey }),
  });
  return (
    <Button variant="default" size="compact-sm" disabled={check.isPending} onClick={() => check.mutate()}>
      {check.isPending ? words.checking : words.check}
    </Button>
  );
}

/** What administrators did, newest first, and whether an entry was tampered with. */
export function AdminActions() {
  const actions = useInfiniteQuery({
    queryKey: adminKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(endpoints.events.admin, { query: { limit: pageSize, before: pageParam } }, signal),
    getNextPageParam: ({ entries }) => (entries.length < pageSize ? undefined : entries.at(-1)?.id),
  });
  const entries = actions.data?.pages.flatMap((page) => page.entries);
  const brokenAt = actions.data?.pages[0]?.brokenAt;
  return (
    <>
      {brokenAt ? <Banner tone="danger">{words.broken(brokenAt)}</Banner> : null}
      <Panel
        title={words.title}
        flush
        actions={
          <>
            {brokenAt === null ? <Badge tone="ok">{words.whole}</Badge> : null}
            <Allowed anyOf={['audit:export']}>
              <CheckAll />
            </Allowed>
          </>
        }
      >
        {entries === undefined ? (
          actions.isError ? (
            <ErrorState
              title={words.failed}
              busy={actions.isFetching}
              onRetry={() => void actions.refetch()}
            />
          ) : (
            <SkeletonRows rows={8} label={messages.common.loading} />
          )
        ) : entries.length === 0 ? (
          <EmptyState icon={IconHistory} title={words.nothing} />
        ) : (
          <Stale since={actions.isError ? actions.dataUpdatedAt : undefined}>
            <DataTable label={words.title} columns={columns} rows={entries} rowKey={(entry) => entry.id} />
          </Stale>
        )}
        {actions.hasNextPage ? (
          <div className={classes.more}>
            <Button
              variant="default"
              size="xs"
              loading={actions.isFetchingNextPage}
              onClick={() => void actions.fetchNextPage()}
            >
              {words.older}
            </Button>
          </div>
        ) : null}
      </Panel>
    </>
  );
}
