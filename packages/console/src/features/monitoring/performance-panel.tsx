import { useMemo } from 'react';
import type { TimeSeries } from '../../components/charts/plot.tsx';
import { TimeChart } from '../../components/charts/time-chart.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Banner, EmptyState } from '../../components/states.tsx';
import { formatBytes, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { LiveSample, SystemStream } from '../../lib/system/index.ts';
import { historyLimit } from '../../lib/system/index.ts';
import classes from './performance-panel.module.css';

const words = messages.monitoring;
const percent = (value: number): string => formatPercent(value, 1);

/** The last samples as lines, and the newest one in bytes. */
export function PerformancePanel(props: { stream: SystemStream }) {
  const { latest, history, problem } = props.stream;
  return (
    <Panel title={words.performance} note={words.lastSamples(historyLimit)}>
      {problem ? (
        <Banner tone="warning">{problem === 'no-token' ? words.noToken : words.connectionLost}</Banner>
      ) : null}
      {latest ? (
        <>
          <History history={history} latest={latest} />
          <Tiles sample={latest} />
        </>
      ) : problem ? null : (
        <EmptyState title={words.waiting} />
      )}
    </Panel>
  );
}

function History(props: { history: readonly LiveSample[]; latest: LiveSample }) {
  const { history, latest } = props;
  const times = useMemo(() => history.map((sample) => sample.at / 1000), [history]);
  const series = useMemo(
    (): TimeSeries[] => [
      { label: words.series.cpu, tone: 'cpu', values: history.map((sample) => sample.cpu_usage) },
      { label: words.series.memory, tone: 'memory', values: history.map((sample) => sample.memory_usage) },
      { label: words.series.disk, tone: 'disk', values: history.map((sample) => sample.disk_usage) },
    ],
    [history],
  );
  return (
    <TimeChart
      times={times}
      series={series}
      max={100}
      unit="%"
      formatValue={percent}
      description={words.chartLabel(
        percent(latest.cpu_usage),
        percent(latest.memory_usage),
        percent(latest.disk_usage),
      )}
    />
  );
}

function Tiles(props: { sample: LiveSample }) {
  const { sample } = props;
  const rows: [string, string][] = [
    [words.tiles.memoryUsed, formatBytes(sample.memory_used)],
    [words.tiles.memoryTotal, formatBytes(sample.memory_total)],
    [words.tiles.diskUsed, formatBytes(sample.disk_used)],
    [words.tiles.diskTotal, formatBytes(sample.disk_total)],
    [words.tiles.networkIn, formatBytes(sample.network_in)],
    [words.tiles.networkOut, formatBytes(sample.network_out)],
  ];
  return (
    <div className={classes.tiles}>
      <Figures>
        {rows.map(([label, value]) => (
          <Figure key={label} label={label} value={value} />
        ))}
      </Figures>
    </div>
  );
}
