import type { LatencyFigures } from '@portcullis/contract/monitoring';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { TimeSeries } from '../../components/charts/plot.tsx';
import { TimeChart } from '../../components/charts/time-chart.tsx';
import { formatMilliseconds, parseTime } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './latency-chart.module.css';

const words = messages.monitoring;
const written = (value: number | null): string => (value === null ? '–' : formatMilliseconds(value));

/** The percentiles of all requests of the window, and how they went; a chosen stretch leads to its events. */
export function LatencyChart(props: { figures: LatencyFigures }) {
  const { figures } = props;
  const navigate = useNavigate();
  const mayRead = usePermission('audit:view');
  const chart = useMemo(() => chartOf(figures), [figures]);
  const showEvents = (first: number, last: number) => {
    const from = new Date((chart.times[first] ?? 0) * 1000).toISOString();
    const to = new Date(((chart.times[last] ?? 0) + figures.step) * 1000).toISOString();
    void navigate({ to: '/logs', search: { view: 'history', from, to } });
  };
  return (
    <>
      <dl className={classes.figures}>
        {(['p50', 'p95', 'p99'] as const).map((name) => (
          <div key={name}>
            <dt>{words.percentiles[name]}</dt>
            <dd>{written(figures[name])}</dd>
          </div>
        ))}
      </dl>
      <TimeChart
        times={chart.times}
        series={chart.series}
        formatValue={formatMilliseconds}
        description={words.latencyLabel(written(figures.p50), written(figures.p95), written(figures.p99))}
        height={180}
        unit=" ms"
        {...(mayRead ? { onStretch: showEvents } : {})}
      />
      <p className={classes.hint}>
        {figures.requests === 0 ? words.noRequests : mayRead ? words.latencyHint : null}
      </p>
    </>
  );
}

function chartOf(figures: LatencyFigures): { times: number[]; series: TimeSeries[] } {
  const points = figures.points.flatMap((point) => {
    const date = parseTime(point.time);
    return date ? [{ ...point, seconds: date.getTime() / 1000 }] : [];
  });
  const line = (name: 'p50' | 'p95' | 'p99'): TimeSeries => ({
    label: words.percentiles[name],
    tone: name,
    values: points.map((point) => point[name]),
  });
  return { times: points.map(({ seconds }) => seconds), series: [line('p50'), line('p95'), line('p99')] };
}
