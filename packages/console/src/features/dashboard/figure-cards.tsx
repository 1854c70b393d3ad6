import type { Metrics } from '@portcullis/contract/monitoring';
import { blockRate } from '@portcullis/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { formatCount, formatPercent, formatRate } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { hourlyTrafficQuery } from '../../lib/queries/index.ts';
import { useSites } from './use-sites.ts';

const words = messages.dashboard;

/** The four figures of the dashboard. */
export function FigureCards(props: { metrics: Metrics | undefined; stale: boolean }) {
  const { metrics, stale } = props;
  const loading = metrics === undefined;
  const active = useActiveSites(metrics);
  // The traffic panel keeps it fresh.
  const hours = useQuery({ ...hourlyTrafficQuery, enabled: false }).data?.hourly ?? [];
  const spark = (key: 'requests' | 'blocked') =>
    hours.some((hour) => hour[key] > 0) ? (
      <Sparkline tone={key} values={hours.map((hour) => hour[key])} />
    ) : null;
  return (
    <>
      <StatCard
        label={words.totalRequests}
        value={formatCount(metrics?.totalRequests ?? 0)}
        detail={words.allTime}
        aside={spark('requests')}
        loading={loading}
        stale={stale}
      />
      <StatCard
        label={words.blockedRequests}
        value={formatCount(metrics?.blockedRequests ?? 0)}
        detail={words.blockRate(
          formatPercent(blockRate(metrics?.blockedRequests ?? 0, metrics?.totalRequests ?? 0)),
        )}
        aside={spark('blocked')}
        loading={loading}
        stale={stale}
      />
      <StatCard
        label={words.qps}
        value={formatRate(metrics?.qps ?? 0)}
        detail={words.qpsDetail}
        loading={loading}
        stale={stale}
      />
      <StatCard
        label={words.activeSites}
        value={formatCount(active)}
        detail={words.protectedDomains}
        loading={loading}
        stale={stale}
      />
    </>
  );
}

/** Enabled sites; who may not see sites counts those with figures. */
function useActiveSites(metrics: Metrics | undefined): number {
  const sites = useSites();
  return sites ? sites.filter((site) => site.enabled).length : (metrics?.sites.length ?? 0);
}
