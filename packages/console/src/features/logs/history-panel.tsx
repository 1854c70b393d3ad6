import { Button, Select } from '@mantine/core';
import { endpoints } from '@portcullis/contract/api';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { call } from '../../lib/api/index.ts';
import { parseTime } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { clientAddress } from '../../lib/queries/index.ts';
import classes from './history-panel.module.css';
import { passes } from './log-buffer.ts';
import { actionTones } from './log-row.tsx';
import type { LogsSearch } from './search.ts';

const words = messages.logs.history;
const pageSize = 100;
const hourMs = 3_600_000;
const ranges = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, month: 720 * hourMs, all: undefined };
type Range = keyof typeof ranges;

/** What is stored, searched by the service: text, level, site and stretch of time, page by page. */
export function HistoryPanel(props: { search: LogsSearch; onOpen: (entry: AuditEntry) => void }) {
  const { onOpen } = props;
  const [range, setRange] = useState<Range>('week');
  const history = useHistory(props.search, range);
  const columns = useMemo(() => historyColumns(onOpen), [onOpen]);
  const entries = history.entries;
  return (
    <Panel title={words.title} flush actions={<RangeSelect value={range} onChange={setRange} />}>
      {entries === undefined ? (
        history.failed ? (
          <ErrorState title={words.failed} busy={history.busy} onRetry={history.retry} />
        ) : (
          <SkeletonRows rows={8} label={messages.common.loading} />
        )
      ) : entries.length === 0 ? (
        <EmptyState icon={IconSearch} title={words.nothing} text={words.nothingText} />
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={entries}
          rowKey={(entry) => entry.id}
          onRowClick={onOpen}
        />
      )}
      {history.more ? (
        <div className={classes.more}>
          <Button variant="default" size="xs" loading={history.busy} onClick={history.more}>
            {words.older}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function RangeSelect(props: { value: Range; onChange: (range: Range) => void }) {
  return (
    <Select
      size="xs"
      className={classes.range}
      aria-label={words.range}
      data={(Object.keys(ranges) as Range[]).map((value) => ({ value, label: words.ranges[value] }))}
      value={props.value}
      onChange={(value) => value && props.onChange(value as Range)}
    />
  );
}

function useHistory(search: LogsSearch, range: Range) {
  const text = useDeferredValue((search.q ?? '').trim());
  const span = ranges[range];
  const history = useInfiniteQuery({
    queryKey: ['history', search.site, search.level, text, range],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }): Promise<AuditEntry[]> =>
      call(
        endpoints.events.audit,
        {
          query: {
            limit: pageSize,
            siteId: search.site,
            level: search.level,
            q: text,
            since: span === undefined ? undefined : Date.now() - span,
            until: pageParam,
          },
        },
        signal,
      ),
    getNextPageParam: (page): number | undefined => {
      const oldest = parseTime(page.at(-1)?.timestamp)?.getTime();
      // The same millisecond once more: entries of it may stand on both sides of the page's end.
      return page.length < pageSize || oldest === undefined ? undefined : oldest + 1;
    },
  });
  const { data } = history;
  // A server without the search answers its newest entries; what does not fit is left out here.
  const entries = useMemo(() => {
    const filter = { text: text.toLowerCase(), levels: [] };
    const known = new Map(data?.pages.flat().map((entry) => [entry.id, entry]));
    return data ? [...known.values()].filter((entry) => entryFits(entry, filter)) : undefined;
  }, [data, text]);
  return {
    entries,
    failed: history.isError,
    busy: history.isFetching,
    retry: () => void history.refetch(),
    more: history.hasNextPage ? () => void history.fetchNextPage() : undefined,
  };
}

/** The service also looks into the matched values, which the live filter leaves alone. */
function entryFits(entry: AuditEntry, filter: { text: string; levels: string[] }): boolean {
  return (
    passes(entry, filter) ||
    JSON.stringify(entry).toLowerCase().includes(JSON.stringify(filter.text).slice(1, -1).toLowerCase())
  );
}

function Client(props: { entry: AuditEntry }) {
  return (
    <span className={classes.client}>
      <Mono max={20}>{clientAddress(props.entry)}</Mono>
    </span>
  );
}

function historyColumns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const label = messages.logs.columns;
  return [
    {
      key: 'time',
      header: label.time,
      cell: (entry) => (
        <span className={classes.time}>
          <Moment at={entry.timestamp} />
        </span>
      ),
    },
    {
      key: 'message',
      header: label.message,
      primary: true,
      cell: (entry) => (
        <button type="button" className={classes.open} onClick={() => onOpen(entry)}>
          {entry.message}
        </button>
      ),
    },
    {
      key: 'action',
      header: label.action,
      cell: (entry) => <Badge tone={actionTones[entry.action] ?? 'neutral'}>{entry.action}</Badge>,
    },
    { key: 'client', header: label.client, cell: (entry) => <Client entry={entry} /> },
    { key: 'site', header: label.site, cell: (entry) => entry.siteName ?? entry.host ?? '–' },
  ];
}
