import { Button } from '@mantine/core';
import { IconWorldPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { useFewOnPhone } from '../../components/some-rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { formatCount, formatPercent, formatRate } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './site-health-list.module.css';
import type { MonitoredSite } from './use-monitoring.ts';

const words = messages.monitoring;
const tones = { healthy: 'ok', down: 'danger', disabled: 'neutral' } as const;

const columns: Column<MonitoredSite>[] = [
  { key: 'site', header: words.site, primary: true, cell: (entry) => <Site entry={entry} /> },
  { key: 'state', header: words.state, cell: (entry) => <State entry={entry} /> },
  {
    key: 'requests',
    header: words.requests,
    align: 'end',
    cell: ({ metrics }) => formatCount(metrics?.requests ?? 0),
  },
  {
    key: 'blocked',
    header: words.blocked,
    align: 'end',
    cell: ({ metrics }) => formatCount(metrics?.blocked ?? 0),
  },
  { key: 'qps', header: words.qps, align: 'end', cell: ({ metrics }) => formatRate(metrics?.qps ?? 0) },
  {
    key: 'uptime',
    header: words.uptimePercent,
    align: 'end',
    cell: ({ metrics }) => (metrics?.uptime ? formatPercent(metrics.uptime, 1) : '–'),
  },
];

/** Every site with its state and figures. */
export function SiteHealthList(props: {
  sites: MonitoredSite[] | undefined;
  failed: boolean;
  onRetry: () => void;
}) {
  return (
    <Panel title={words.siteHealth} flush>
      {props.sites ? (
        props.sites.length === 0 ? (
          <EmptyState icon={IconWorldPlus} title={words.noSites} action={<AddSite />} />
        ) : (
          <SiteTable sites={props.sites} />
        )
      ) : props.failed ? (
        <ErrorState title={words.failed} onRetry={props.onRetry} />
      ) : (
        <SkeletonRows rows={4} label={messages.common.loading} />
      )}
    </Panel>
  );
}

const urgency = ['down', 'healthy', 'disabled'] as const;

function SiteTable(props: { sites: readonly MonitoredSite[] }) {
  const worstFirst = props.sites.toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state));
  const { shown, more } = useFewOnPhone(worstFirst);
  return (
    <>
      <DataTable label={words.siteHealth} columns={columns} rows={shown} rowKey={(entry) => entry.site.id} />
      {more}
    </>
  );
}

/** Beside Down, what the dashboard and Sites call it where it answers badly; of what does not answer, Down says it all. */
function State({ entry: { state, metrics } }: { entry: MonitoredSite }) {
  const { health } = metrics ?? {};
  const how =
    state === 'down' && health && health !== 'critical' ? messages.dashboard.health[health] : undefined;
  return (
    <>
      {words.siteLabels[state]}
      {how ? <span className={classes.how}> · {how}</span> : null}
    </>
  );
}

function AddSite() {
  return (
    <Allowed anyOf={['site:create']}>
      <Button
        size="xs"
        variant="light"
        renderRoot={(root) => <Link to="/sites" search={{ site: 'new' }} {...root} />}
      >
        {messages.dashboard.addSite}
      </Button>
    </Allowed>
  );
}

function Site(props: { entry: MonitoredSite }) {
  const { site, state } = props.entry;
  return (
    <div className={classes.site}>
      <div className={classes.name}>
        {site.name} <Badge tone={tones[state]}>{words.siteBadges[state]}</Badge>
      </div>
      <span className={classes.domains} title={site.domains.join('\n')}>
        <Mono dim max={40}>
          {site.domains[0] ?? ''}
        </Mono>
        {site.domains.length > 1 ? ` ${messages.sites.moreDomains(site.domains.length - 1)}` : null}
      </span>
    </div>
  );
}
