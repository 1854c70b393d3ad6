import type { TrafficBreakdown } from '@portcullis/contract/monitoring';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RankedRow } from '../../components/charts/ranked-bars.tsx';
import { RankedBars } from '../../components/charts/ranked-bars.tsx';
import { cutMiddle, Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { breakdownQuery } from '../../lib/queries/index.ts';
import classes from './threat-pictures.module.css';

const words = messages.dashboard;
const refreshMs = 30_000;
const rowsShown = 6;
/** what blocked and challenged events are found by */
const threats = { view: 'history', range: 'day', action: 'blocked,challenged' } as const;

/** Of the last day: which attacks, from where, and what they were after. Each row leads to its events. */
export function ThreatPictures() {
  const figures = useQuery({ ...breakdownQuery('24h'), refetchInterval: refreshMs });
  const part = (title: string, rowsOf: (data: TrafficBreakdown) => RankedRow[]) => (
    <Panel title={title} note={words.last24Hours}>
      {figures.data ? (
        <Stale since={figures.isError ? figures.dataUpdatedAt : undefined}>
          <Ranking title={title} rows={rowsOf(figures.data).slice(0, rowsShown)} />
        </Stale>
      ) : figures.isError ? (
        <ErrorState
          title={words.picturesUnavailable}
          busy={figures.isFetching}
          onRetry={() => void figures.refetch()}
        />
      ) : (
        <SkeletonRows rows={rowsShown} label={messages.common.loading} />
      )}
    </Panel>
  );
  return (
    <div className={classes.three}>
      {part(words.threatsByCategory, categoryRows)}
      {part(words.topAttackers, attackerRows)}
      {part(words.topTargets, targetRows)}
    </div>
  );
}

function Ranking(props: { title: string; rows: RankedRow[] }) {
  return props.rows.length === 0 ? (
    <EmptyState icon={IconShieldCheck} title={words.noThreatsLastDay} />
  ) : (
    <RankedBars label={props.title} rows={props.rows} formatValue={formatCount} />
  );
}

const categoryRows = ({ categories }: TrafficBreakdown): RankedRow[] =>
  categories.map(({ value, count }) => ({
    key: value,
    value: count,
    label: (
      <Link to="/logs" search={{ ...threats, category: value }} className={classes.link}>
        {categoryLabel(value)}
      </Link>
    ),
  }));

const attackerRows = ({ attackers }: TrafficBreakdown): RankedRow[] =>
  attackers.map(({ value, count }) => ({
    key: value,
    value: count,
    label: (
      <Link to="/logs" search={{ ...threats, ip: value }} className={classes.link}>
        <Mono>{value}</Mono>
      </Link>
    ),
  }));

const targetRows = ({ targets }: TrafficBreakdown): RankedRow[] =>
  targets.map(({ value, count }) => ({
    key: value,
    value: count,
    label: (
      <Link to="/logs" search={{ ...threats, path: value }} className={classes.link} title={value}>
        <Mono>{cutMiddle(value, 48)}</Mono>
      </Link>
    ),
  }));
