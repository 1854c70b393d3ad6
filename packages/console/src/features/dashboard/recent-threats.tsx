import type { AuditEntry } from '@portcullis/contract/events';
import { threatActionLabel } from '@portcullis/contract/events';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { auditQuery, clientAddress } from '../../lib/queries/index.ts';
import classes from './recent-threats.module.css';

const words = messages.dashboard;
const refreshMs = 10_000;
const fetchLimit = 20;
const shownLimit = 10;
const tones: Record<string, Tone> = { blocked: 'danger', challenged: 'warning', logged: 'info' };

const columns: Column<AuditEntry>[] = [
  { key: 'time', header: words.time, cell: (entry) => <RelativeTime at={entry.timestamp} /> },
  { key: 'ip', header: words.ipAddress, cell: (entry) => <Mono max={39}>{clientAddress(entry)}</Mono> },
  { key: 'type', header: words.threatType, primary: true, cell: (entry) => <ThreatType entry={entry} /> },
  { key: 'site', header: words.site, cell: (entry) => entry.siteName ?? entry.host ?? '–' },
  { key: 'action', header: words.action, cell: (entry) => <Action entry={entry} /> },
];

/** The newest blocked and challenged requests. */
export function RecentThreats() {
  const threats = useQuery({
    ...auditQuery({ limit: fetchLimit, level: 'warning,error,critical', action: 'blocked,challenged' }),
    refetchInterval: refreshMs,
  });
  return (
    <Panel title={words.recentThreats} flush actions={<QuietLink to="/logs">{words.viewLogs}</QuietLink>}>
      {threats.data ? (
        <Stale since={threats.isError ? threats.dataUpdatedAt : undefined}>
          {threats.data.length === 0 ? (
            <EmptyState icon={IconShieldCheck} title={words.noThreats} text={words.noThreatsText} />
          ) : (
            <DataTable
              label={words.recentThreats}
              columns={columns}
              rows={threats.data.slice(0, shownLimit)}
              rowKey={(entry) => entry.id}
            />
          )}
        </Stale>
      ) : threats.isError ? (
        <ErrorState
          title={words.threatsUnavailable}
          busy={threats.isFetching}
          onRetry={() => void threats.refetch()}
        />
      ) : (
        <>
          <p className={classes.loading}>{words.loadingThreats}</p>
          <SkeletonRows rows={5} label={words.loadingThreats} />
        </>
      )}
    </Panel>
  );
}

/** What it was, leading to the event with the bytes that matched. */
function ThreatType(props: { entry: AuditEntry }) {
  const { entry } = props;
  const name = categoryLabel(entry.threat ?? entry.ruleType ?? entry.kind ?? '–');
  if (!entry.requestId) return name;
  return (
    <Link to="/logs" search={{ view: 'history', q: entry.requestId }} className={classes.event}>
      {name}
    </Link>
  );
}

function Action(props: { entry: AuditEntry }) {
  const label = threatActionLabel(props.entry.decision);
  return <Badge tone={tones[label] ?? 'neutral'}>{label}</Badge>;
}
