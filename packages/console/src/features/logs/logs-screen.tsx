import { SegmentedControl } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { CardRow, Page } from '../../components/page.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { Banner } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { EventDrawer } from './event-drawer.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { LogCounts } from './log-buffer.ts';
import { passes } from './log-buffer.ts';
import { LogFilters } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import classes from './logs-screen.module.css';
import type { LogsSearch } from './search.ts';
import { useLogStream } from './use-log-stream.ts';

const words = messages.logs;
const sitesStaleMs = 60_000;

/** The live security log: counters, filters, the stream, and one event in full. */
export function LogsScreen() {
  const search = useSearch({ from: '/signed-in/logs' });
  const navigate = useNavigate();
  const setSearch = (next: LogsSearch) => void navigate({ to: '/logs', search: next, replace: true });
  const stream = useLogStream({ siteId: search.site, levels: search.level });
  const [open, setOpen] = useState<AuditEntry>();
  const text = useDeferredValue((search.q ?? '').trim().toLowerCase());
  const levels = search.level;
  const { view } = stream;
  const shown = useMemo(() => {
    const filter = { text, levels: levels?.split(',') ?? [] };
    return text === '' && filter.levels.length === 0
      ? view.entries
      : view.entries.filter((entry) => passes(entry, filter));
  }, [view.entries, text, levels]);
  const sites = useQuery({ ...sitesQuery, staleTime: sitesStaleMs, enabled: usePermission('site:view') });

  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={<LogToolbar stream={stream} entries={view.entries} />}
    >
      <Counters counts={view.counts} />
      <ViewSwitch search={search} onChange={setSearch} />
      <StreamTrouble reason={stream.state === 'disconnected' ? stream.reason : undefined} />
      <div className={classes.split}>
        <LogFilters search={search} onChange={setSearch} sites={sites.data ?? []} />
        {search.view === 'history' ? (
          <HistoryPanel search={search} onOpen={setOpen} />
        ) : (
          <LogList
            entries={shown}
            total={view.entries.length}
            arrived={view.counts.total}
            missed={view.missed}
            paused={stream.paused}
            onOpen={setOpen}
          />
        )}
      </div>
      <EventDrawer entry={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}

function ViewSwitch(props: { search: LogsSearch; onChange: (search: LogsSearch) => void }) {
  const { view, ...rest } = props.search;
  return (
    <SegmentedControl
      className={classes.views}
      aria-label={words.views.label}
      value={view ?? 'live'}
      data={[
        { value: 'live', label: words.views.live },
        { value: 'history', label: words.views.history },
      ]}
      onChange={(next) => props.onChange(next === 'history' ? { ...rest, view: 'history' } : rest)}
    />
  );
}

function Counters(props: { counts: LogCounts }) {
  const { total, error, warning, info } = props.counts;
  return (
    <CardRow>
      <StatCard label={words.totalEvents} value={formatCount(total)} />
      <StatCard label={words.errors} value={formatCount(error)} />
      <StatCard label={words.warnings} value={formatCount(warning)} />
      <StatCard label={words.info} value={formatCount(info)} />
    </CardRow>
  );
}

function StreamTrouble(props: { reason: 'no-token' | 'lost' | undefined }) {
  if (props.reason === undefined) return null;
  return (
    <Banner tone={props.reason === 'lost' ? 'warning' : 'danger'}>
      {props.reason === 'lost' ? words.reconnecting : words.tokenMissing}
    </Banner>
  );
}
