import { Button, Loader, Select } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { entryLabel } from '../../lib/messages/actions.ts';
import { messages } from '../../lib/messages/index.ts';
import { clientAddress } from '../../lib/queries/index.ts';
import { HistoryChips } from './history-chips.tsx';
import classes from './history-panel.module.css';
import { actionTones } from './log-row.tsx';
import type { HistoryRange, LogsSearch } from './search.ts';
import { ranges } from './search.ts';
import { useHistory } from './use-history.ts';

const words = messages.logs.history;

interface Props {
  search: LogsSearch;
  onChange: (search: LogsSearch) => void;
  onOpen: (entry: AuditEntry) => void;
}

/** What is stored, searched by the service, page by page. */
export function HistoryPanel(props: Props) {
  const { search, onChange, onOpen } = props;
  const history = useHistory(search);
  const columns = useMemo(() => historyColumns(onOpen), [onOpen]);
  const { entries } = history;
  return (
    <Panel title={words.title} flush actions={<RangeSelect search={search} onChange={onChange} />}>
      <HistoryChips search={search} onChange={onChange} />
      {entries === undefined ? (
        history.failed ? (
          <ErrorState title={words.failed} busy={history.busy} onRetry={history.retry} />
        ) : (
          <SkeletonRows rows={8} label={messages.common.loading} />
        )
      ) : entries.length === 0 && !history.partial ? (
        <EmptyState icon={IconSearch} title={words.nothing} text={words.nothingText} />
      ) : (
        <Stale since={history.failed ? history.since : undefined}>
          <DataTable
            label={words.title}
            columns={columns}
            rows={entries}
            rowKey={(entry) => entry.id}
            onRowClick={onOpen}
          />
        </Stale>
      )}
      <Further history={history} />
    </Panel>
  );
}

/** How far a search came that reads every event, and how it goes on. */
function Further({ history }: { history: ReturnType<typeof useHistory> }) {
  const { more, stop, partial, searchedTo, busy } = history;
  if (!more) return null;
  return (
    <div className={classes.more}>
      {partial ? (
        <output className={classes.partial}>
          {words.partial}{' '}
          {searchedTo === undefined ? null : (
            <>
              {words.searchedTo} <Moment at={searchedTo} />
            </>
          )}
        </output>
      ) : null}
      {stop ? (
        <Button variant="default" size="xs" leftSection={<Loader size={12} />} onClick={stop}>
          {words.stop}
        </Button>
      ) : (
        <Button variant="default" size="xs" loading={busy} onClick={more}>
          {partial ? words.further : words.older}
        </Button>
      )}
    </div>
  );
}

function RangeSelect(props: Pick<Props, 'search' | 'onChange'>) {
  const { from: _from, to: _to, range, ...rest } = props.search;
  const chosen = props.search.from || props.search.to;
  return (
    <Select
      size="xs"
      className={classes.range}
      aria-label={words.range}
      data={(Object.keys(ranges) as HistoryRange[]).map((value) => ({ value, label: words.ranges[value] }))}
      value={chosen ? null : (range ?? 'week')}
      placeholder={words.chosenSpan}
      onChange={(value) => value && props.onChange({ ...rest, range: value as HistoryRange })}
    />
  );
}

function Request(props: { entry: AuditEntry }) {
  const { method, path = '' } = props.entry;
  return (
    <div className={classes.request}>
      <Mono max={44} dim>
        {method ? `${method} ${path}` : path}
      </Mono>
    </div>
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
          <Moment at={entry.timestamp} part="time" />
          <Moment at={entry.timestamp} part="date" />
        </span>
      ),
    },
    {
      key: 'message',
      header: label.message,
      primary: true,
      cell: (entry) => (
        <>
          <button type="button" className={classes.open} title={entry.message} onClick={() => onOpen(entry)}>
            {entry.message}
          </button>
          {entry.path ? <Request entry={entry} /> : null}
        </>
      ),
    },
    {
      key: 'action',
      header: label.action,
      cell: (entry) => <Badge tone={actionTones[entry.action] ?? 'neutral'}>{entryLabel(entry)}</Badge>,
    },
    { key: 'client', header: label.client, cell: (entry) => <Client entry={entry} /> },
    {
      key: 'site',
      header: label.site,
      cell: (entry) => <span className={classes.site}>{entry.siteName ?? entry.host ?? '–'}</span>,
    },
  ];
}
