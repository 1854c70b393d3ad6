import type { Metrics } from '@portcullis/contract/monitoring';
import type { ReactNode } from 'react';
import { NetworkRate } from '../../components/network-rate.tsx';
import { CardRow } from '../../components/page.tsx';
import { ResourceBar } from '../../components/resource-bar.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { formatCount, formatPercent, formatUptime, gigabytes } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { LiveSample } from '../../lib/system/index.ts';
import type { Alert } from './alerts.ts';
import type { MonitoredSite } from './use-monitoring.ts';

const words = messages.monitoring;

/** The eight figures of the monitoring screen. */
export function MonitoringCards(props: {
  metrics: Metrics | undefined;
  stale: boolean;
  sample: LiveSample | undefined;
  sites: MonitoredSite[] | undefined;
  alerts: readonly Alert[];
}) {
  const { metrics, sample, sites, stale } = props;
  const loading = metrics === undefined && !stale;
  const inState = (state: MonitoredSite['state']) =>
    sites?.filter((entry) => entry.state === state).length ?? 0;
  const disabled = inState('disabled');
  return (
    <CardRow>
      <StatCard
        label={words.uptime}
        value={metrics ? formatUptime(metrics.uptime) : '–'}
        loading={loading}
        stale={stale}
      />
      <Usage label={words.cpu} percent={sample?.cpu_usage} />
      <Usage label={words.memory} percent={sample?.memory_usage} detail={pair(sample, 'memory')} />
      <StatCard
        label={words.connections}
        value={metrics ? formatCount(metrics.activeConnections) : '–'}
        loading={loading}
        stale={stale}
      />
      <StatCard
        label={words.healthySites}
        value={sites ? `${inState('healthy')}/${sites.length}` : '–'}
        {...(disabled > 0 ? { detail: words.disabledSites(formatCount(disabled)) } : {})}
        loading={sites === undefined && !stale}
        stale={stale}
      />
      <StatCard
        label={words.activeAlerts}
        value={formatCount(props.alerts.length)}
        detail={props.alerts[0]?.message}
        loading={loading}
      />
      <Usage label={words.disk} percent={sample?.disk_usage} detail={pair(sample, 'disk')} />
      <StatCard
        label={words.network}
        value={<NetworkRate incoming={sample?.inRate} outgoing={sample?.outRate} />}
        detail={words.networkDetail}
        loading={sample === undefined}
      />
    </CardRow>
  );
}

function Usage(props: { label: string; percent: number | undefined; detail?: ReactNode }) {
  const { percent } = props;
  return (
    <StatCard
      label={props.label}
      value={formatPercent(percent ?? 0, 1)}
      loading={percent === undefined}
      {...(props.detail === undefined ? {} : { detail: props.detail })}
    >
      {percent === undefined ? null : <ResourceBar percent={percent} label={props.label} />}
    </StatCard>
  );
}

const pair = (sample: LiveSample | undefined, what: 'memory' | 'disk'): string =>
  sample
    ? words.gigabytes(gigabytes(sample[`${what}_used`]), gigabytes(sample[`${what}_total`]))
    : words.gigabytes('–', '–');
