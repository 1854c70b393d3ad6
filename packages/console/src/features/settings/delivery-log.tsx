import type { NotificationOutcome } from '@portcullis/contract/notifications';
import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFewOnPhone } from '../../components/some-rows.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './delivery-log.module.css';
import { outcomesQuery } from './settings-queries.ts';

const words = messages.settings.notifications;
const refreshMs = 10_000;
const tones: Record<string, Tone> = { sent: 'ok', held: 'info', retrying: 'warning', failed: 'danger' };

const columns: Column<NotificationOutcome>[] = [
  {
    key: 'time',
    header: words.columns.time,
    cell: (entry) => (
      <span className={classes.time}>
        <RelativeTime at={entry.timestamp} />
      </span>
    ),
  },
  {
    key: 'channel',
    header: words.columns.channel,
    cell: (entry) => words.channels[entry.channel] ?? entry.channel,
  },
  {
    key: 'subject',
    header: words.columns.subject,
    primary: true,
    cell: (entry) => <Message entry={entry} />,
  },
  { key: 'outcome', header: words.columns.outcome, cell: (entry) => <Status entry={entry} /> },
];

/** What became of the last messages. */
export function DeliveryLog() {
  const log = useQuery({ ...outcomesQuery, refetchInterval: refreshMs });
  return (
    <Panel title={words.outcomes} note={words.outcomesNote} flush>
      {log.data ? (
        <Stale since={log.isError ? log.dataUpdatedAt : undefined}>
          {log.data.length === 0 ? (
            <EmptyState icon={IconMailOff} title={words.outcomesEmpty} text={words.outcomesEmptyText} />
          ) : (
            <Outcomes outcomes={log.data} />
          )}
        </Stale>
      ) : log.isError ? (
        <ErrorState title={words.outcomesFailed} busy={log.isFetching} onRetry={() => void log.refetch()} />
      ) : (
        <SkeletonRows rows={4} label={words.outcomesLoading} />
      )}
    </Panel>
  );
}

/** Newest first; each is a card on a phone, where the last few answer whether messages arrive. */
function Outcomes(props: { outcomes: readonly NotificationOutcome[] }) {
  const { shown, more } = useFewOnPhone(props.outcomes);
  return (
    <>
      <DataTable label={words.outcomes} columns={columns} rows={shown} rowKey={(entry) => entry.id} />
      {more}
    </>
  );
}

function Message(props: { entry: NotificationOutcome }) {
  const { subject, error } = props.entry;
  return (
    <div className={classes.message}>
      <span>{subject}</span>
      {error ? <span className={classes.error}>{error}</span> : null}
    </div>
  );
}

function Status(props: { entry: NotificationOutcome }) {
  const { status, attempts } = props.entry;
  return (
    <span className={classes.status}>
      <Badge tone={tones[status] ?? 'neutral'}>{words.statuses[status] ?? status}</Badge>
      {attempts > 1 ? <span className={classes.attempts}>{words.attempts(attempts)}</span> : null}
    </span>
  );
}
