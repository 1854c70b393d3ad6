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
import { AdminActions } from './admin-actions.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { HistoryExport } from './history-export.tsx';
import { HistoryFacets } from './history-facets.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { LogCounts } from './log-buffer.ts';
import { passes } from './log-buffer.ts';
import { LogFilters } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import classes from './logs-screen.module.css';
import type { LogsSearch } from './search.ts';
import { commonSearch } from './search.ts';
import type { LogStream } from './use-log-stream.ts';
import { useLogStream } from './use-log-stream.ts';

const words = messages.logs;
const sitesStaleMs = 60_000;

/** The security log: the live stream, what is stored, administrators' actions, and one event in full. */
export function LogsScreen() {
  const search = useSearch({ from: '/signed-in/logs' });
  const navigate = useNavigate();
  const setSearch = (next: LogsSearch) => void navigate({ to: '/logs', search: next, replace: true });
  const { view = 'live' } = search;
  const stream = useLogStream({ siteId: search.site, levels: search.level }, view === 'live');
  const [open, setOpen] = useState<AuditEntry>();
  const sites = useQuery({ ...sitesQuery, staleTime: sitesStaleMs, enabled: usePermission('site:view') });
  const filters = <LogFilters search={search} onChange={setSearch} sites={sites.data ?? []} />;
  return (
    <Page title={words.title} purpose={words.subtitle} actions={<Actions search={search} stream={stream} />}>
      {view === 'live' ? <Counters counts={stream.view.counts} /> : null}
      <ViewSwitch search={search} onChange={setSearch} />
      {view === 'live' ? (
        <>
          <StreamTrouble reason={stream.state === 'disconnected' ? stream.reason : undefined} />
          <div className={classes.split}>
            {filters}
            <LiveList search={search} stream={stream} onOpen={setOpen} />
          </div>
        </>
      ) : view === 'admin' ? (
        <AdminActions />
      ) : (
        <div className={classes.split}>
          <div className={classes.side}>
            {filters}
            <HistoryFacets search={search} onChange={setSearch} />
          </div>
          <HistoryPanel search={search} onChange={setSearch} onOpen={setOpen} />
        </div>
      )}
      <EventDrawer entry={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}

function Actions(props: { search: LogsSearch; stream: LogStream }) {
  const { search, stream } = props;
  if (search.view === 'admin') return null;
  if (search.view === 'history') return <HistoryExport search={search} />;
  return <LogToolbar stream={stream} entries={stream.view.entries} />;
}

function LiveList(props: { search: LogsSearch; stream: LogStream; onOpen: (entry: AuditEntry) => void }) {
  const { search, stream } = props;
  const { view, paused } = stream;
  const text = useDeferredValue((search.q ?? '').trim().toLowerCase());
  const levels = search.level;
  const shown = useMemo(() => {
    const filter = { text, levels: levels?.split(',') ?? [] };
    return text === '' && filter.levels.length === 0
      ? view.entries
      : view.entries.filter((entry) => passes(entry, filter));
  }, [view.entries, text, levels]);
  // Another filter is another list, and not the one that was being read.
  const key = [text, levels, search.site].join(' ');
  return <LogList key={key} entries={shown} view={view} paused={paused} onOpen={props.onOpen} />;
}

function ViewSwitch(props: { search: LogsSearch; onChange: (search: LogsSearch) => void }) {
  const { view } = props.search;
  const common = commonSearch(props.search);
  return (
    <SegmentedControl
      className={classes.views}
      aria-label={words.views.label}
      value={view ?? 'live'}
      data={[
        { value: 'live', label: words.views.live },
        { value: 'history', label: words.views.history },
        { value: 'admin', label: words.views.admin },
      ]}
      onChange={(next) =>
        props.onChange(next === 'history' || next === 'admin' ? { ...common, view: next } : common)
      }
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
