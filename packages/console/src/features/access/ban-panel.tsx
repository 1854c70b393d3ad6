import { Button } from '@mantine/core';
import type { BanAnswer, BanList } from '@portcullis/contract/access';
import { IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { useLiftBan } from '../../components/use-lift-ban.ts';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { bansQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './access.module.css';

const words = messages.access.bans;

/** Who is banned for a while, since when, why, and the way out. */
export function BanPanel() {
  const found = useQuery(bansQuery);
  const { data } = found;
  const more = data && data.total > data.bans.length ? words.some(formatCount(data.total)) : undefined;
  return (
    <Panel title={words.title} note={more ?? words.note} flush>
      {data ? (
        <Stale since={found.isError ? found.dataUpdatedAt : undefined}>
          <Bans list={data} />
        </Stale>
      ) : found.isError ? (
        <ErrorState title={words.loadFailed} busy={found.isFetching} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRows rows={2} label={messages.common.loading} />
      )}
    </Panel>
  );
}

function Bans({ list }: { list: BanList }) {
  const seesEvents = usePermission('audit:view');
  if (list.bans.length === 0)
    return <EmptyState icon={IconLockOpen} title={words.none} text={words.noneText} />;
  const columns: Column<BanAnswer>[] = [
    {
      key: 'address',
      header: words.columns.address,
      primary: true,
      cell: ({ address }) => (
        <span className={classes.whole}>
          <Mono>{address}</Mono>
        </span>
      ),
    },
    { key: 'since', header: words.columns.since, cell: ({ since }) => <Moment at={since} /> },
    { key: 'until', header: words.columns.until, cell: ({ until }) => <Moment at={until} /> },
    { key: 'reason', header: words.columns.reason, wide: true, cell: ({ reason }) => <Why text={reason} /> },
    ...(seesEvents
      ? [{ key: 'events', header: words.columns.events, cell: (ban: BanAnswer) => <Events ban={ban} /> }]
      : []),
    {
      key: 'acts',
      header: messages.access.columns.acts,
      align: 'end',
      quiet: true,
      corner: true,
      cell: (ban) => <Lift ban={ban} />,
    },
  ];
  return <DataTable label={words.title} columns={columns} rows={list.bans} rowKey={({ id }) => id} />;
}

const Why = (props: { text: string }) => <span className={classes.why}>{props.text}</span>;

const Events = ({ ban }: { ban: BanAnswer }) => (
  <span className={classes.whole}>
    <QuietLink to="/logs" search={{ view: 'history', ip: ban.clientIP }}>
      {words.events}
    </QuietLink>
  </span>
);

function Lift({ ban }: { ban: BanAnswer }) {
  const lift = useLiftBan();
  return (
    <Allowed anyOf={['rule:update']}>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={words.liftOf(ban.address)}
        loading={lift.isPending}
        onClick={() => lift.mutate(ban)}
      >
        {words.lift}
      </Button>
    </Allowed>
  );
}
