import { Skeleton } from '@mantine/core';
import { blockRate } from '@portcullis/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TimeSeries } from '../../components/charts/time-chart.tsx';
import { TimeChart } from '../../components/charts/time-chart.tsx';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, Stale } from '../../components/states.tsx';
import { formatCount, formatPercent, parseTime, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { hourlyTrafficQuery } from '../../lib/queries/index.ts';
import classes from './traffic-overview.module.css';

const words = messages.dashboard;
const refreshMs = 30_000;
const rowsShown = 6;

interface Hour {
  time: string;
  requests: number;
  blocked: number;
}

/** Requests and blocks of the last 24 hours: totals, a chart, and the last six hours in figures. */
export function TrafficOverview() {
  const traffic = useQuery({ ...hourlyTrafficQuery, refetchInterval: refreshMs });
  return (
    <Panel title={words.trafficOverview} note={words.last24Hours}>
      {traffic.data ? (
        <Stale since={traffic.isError ? traffic.dataUpdatedAt : undefined}>
          <Traffic hours={traffic.data.hourly} />
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

function Traffic(props: { hours: Hour[] }) {
  const { hours } = props;
  const requests = sum(hours, 'requests');
  const blocked = sum(hours, 'blocked');
  const chart = useMemo(() => chartOf(hours), [hours]);
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
            description={words.chartLabel(formatCount(requests), formatCount(blocked))}
          />
          {requests === 0 ? <p className={classes.empty}>{words.trafficEmpty}</p> : null}
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

function HourRows(props: { hours: Hour[] }) {
  const format = useTimeFormat();
  return (
    <table className={classes.rows} aria-label={words.trafficOverview}>
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.requests}</th>
          <th scope="col">{words.blocked}</th>
        </tr>
      </thead>
      <tbody>
        {props.hours.map((hour) => (
          <tr key={hour.time}>
            <td>{format.shortTime(hour.time)}</td>
            <td>{formatCount(hour.requests)}</td>
            <td>{formatCount(hour.blocked)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function chartOf(hours: Hour[]): { times: number[]; series: TimeSeries[] } {
  const known = hours.flatMap((hour) => {
    const date = parseTime(hour.time);
    return date ? [{ ...hour, seconds: date.getTime() / 1000 }] : [];
  });
  return {
    times: known.map((hour) => hour.seconds),
    series: [
      { label: words.requests, tone: 'requests', filled: true, values: known.map((hour) => hour.requests) },
      { label: words.blocked, tone: 'blocked', filled: true, values: known.map((hour) => hour.blocked) },
    ],
  };
}

const sum = (hours: Hour[], key: 'requests' | 'blocked'): number =>
  hours.reduce((total, hour) => total + hour[key], 0);
