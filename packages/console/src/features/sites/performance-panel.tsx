import type { Metrics } from '@portcullis/contract/monitoring';
import { Figure, Figures } from '../../components/figures.tsx';
import { NetworkRate } from '../../components/network-rate.tsx';
import { Panel } from '../../components/panel.tsx';
import { ResourceBar } from '../../components/resource-bar.tsx';
import { formatCount, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { useSystemStream } from '../../lib/system/index.ts';

const words = messages.monitoring;
const secondsAnHour = 3600;

/** How the machine behind all sites is doing, at a glance. */
export function PerformancePanel(props: { metrics: Metrics | undefined }) {
  const { latest, problem } = useSystemStream();
  const { metrics } = props;
  const shares: [string, number | undefined][] = [
    [words.series.cpu, latest?.cpu_usage],
    [words.series.memory, latest?.memory_usage],
    [words.series.disk, latest?.disk_usage],
  ];
  return (
    <Panel
      title={words.performance}
      {...(problem ? { note: problem === 'no-token' ? words.noToken : words.connectionLost } : {})}
    >
      <Figures>
        {shares.map(([label, percent]) => (
          <Figure key={label} label={label} value={percent === undefined ? '–' : formatPercent(percent, 1)}>
            <ResourceBar percent={percent ?? 0} label={label} />
          </Figure>
        ))}
        <Figure
          label={words.networkLabel}
          value={<NetworkRate incoming={latest?.inRate} outgoing={latest?.outRate} />}
        />
        <Figure
          label={words.uptime}
          value={metrics ? words.hours(formatCount(Math.floor(metrics.uptime / secondsAnHour))) : '–'}
        />
        <Figure label={words.connections} value={metrics ? formatCount(metrics.activeConnections) : '–'} />
      </Figures>
    </Panel>
  );
}
