import { Button, Skeleton } from '@mantine/core';
import { blockRate } from '@portcullis/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TimeSeries } from '../../components/charts/plot.tsx';
import { TimeChart } from '../../components/charts/time-chart.tsx';
import { Panel } from '../../components/panel.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { ErrorState, Stale } from '../../components/states.tsx';
import { formatCount, formatPercent, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { hourlyTrafficQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { HourRows } from './hour-rows.tsx';
import classes from './traffic-overview.module.css';
import type { Span, TrafficPoint } from './traffic-span.ts';
import { hourPoints, spanOfStretch, useZoomed } from './traffic-span.ts';

const words = messages.dashboard;
const refreshMs = 30_000;
const staleMs = 5_000;
const rowsShown = 6;

/** Requests and blocks of the last 24 hours: totals, a chart to zoom into, and the last six hours in figures. */
export function TrafficOverview() {
  const traffic = useQuery({ ...hourlyTrafficQuery, refetchInterval: refreshMs, staleTime: staleMs });
  const [span, setSpan] = useState<Span>();
  const hours = useMemo(() => hourPoints(traffic.data?.hourly ?? []), [traffic.data]);
  return (
    <Panel
      title={words.trafficOverview}
      note={words.last24Hours}
      actions={span ? <SpanActs span={span} onReset={() => setSpan(undefined)} /> : null}
    >
      {traffic.data ? (
        <Stale since={traffic.isError ? traffic.dataUpdatedAt : undefined}>
          <Traffic hours={hours} span={span} onSpan={setSpan} />
        </Stale>
      ) : traffic.isError ? (
        <ErrorState
          title={words.trafficUnavailable}
          busy={traffic.isFetching}
          onRetry={() => void traffic.refetch()}
        />
      ) : (
        <Skeleton height={300} />
      )}
    </Panel>
  );
}

/** What can be done with the stretch that was zoomed into. */
function SpanActs(props: { span: Span; onReset: () => void }) {
  const mayRead = usePermission('audit:view');
  const from = new Date(props.span.from).toISOString();
  const to = new Date(props.span.to).toISOString();
  return (
    <>
      {mayRead ? (
        <QuietLink to="/logs" search={{ view: 'history', from, to }}>
          {words.showEvents}
        </QuietLink>
      ) : null}
      <Button variant="default" size="compact-xs" onClick={props.onReset}>
        {words.resetZoom}
      </Button>
    </>
  );
}

interface TrafficProps {
  hours: readonly TrafficPoint[];
  span: Span | undefined;
  onSpan: (span: Span) => void;
}

function Traffic(props: TrafficProps) {
  const { hours, span } = props;
  const shown = useZoomed(hours, span);
  const { points, stepSeconds } = shown;
  const requests = sum(points, 'requests');
  const blocked = sum(points, 'blocked');
  const chart = useMemo(() => chartOf(points), [points]);
  const format = useTimeFormat();
  const ends = span && words.spanOf(format.dateTime(span.from), format.dateTime(span.to));
  return (
    <div className={classes.traffic}>
      <dl className={classes.totals}>
        <Total label={words.totalRequests} value={formatCount(requests)} />
        <Total label={words.blocked} value={formatCount(blocked)} />
        <Total label={words.rate} value={formatPercent(blockRate(blocked, requests))} />
      </dl>
      <div className={classes.body}>
        <div>
          <TimeChart
            times={chart.times}
            series={chart.series}
            formatValue={formatCount}
            reading={false}
            description={words.chartLabel(
              ends ?? words.last24Hours,
              formatCount(requests),
              formatCount(blocked),
            )}
            onStretch={(first, last) => props.onSpan(spanOfStretch(points, stepSeconds, first, last))}
          />
          <p className={classes.hint}>
            {requests === 0 && !span ? words.trafficEmpty : (ends ?? words.brushHint)}
          </p>
        </div>
        <HourRows hours={hours.slice(-rowsShown)} />
      </div>
    </div>
  );
}

function Total(props: { label: string; value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}

function chartOf(points: readonly TrafficPoint[]): { times: number[]; series: TimeSeries[] } {
  return {
    times: points.map(({ time }) => time / 1000),
    series: [
      {
        label: words.requests,
        tone: 'requests',
        filled: true,
        values: points.map(({ requests }) => requests),
      },
      { label: words.blocked, tone: 'blocked', filled: true, values: points.map(({ blocked }) => blocked) },
    ],
  };
}

const sum = (points: readonly TrafficPoint[], key: 'requests' | 'blocked'): number =>
  points.reduce((total, point) => total + point[key], 0);
