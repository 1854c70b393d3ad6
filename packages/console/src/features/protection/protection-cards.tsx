import { blockRate } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { useQuery } from '@tanstack/react-query';
import { CardRow } from '../../components/page.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { formatCount, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { metricsQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { rulesetsQuery } from './protection-queries.ts';
import { rulesInForce } from './rules-in-force.ts';

const words = messages.protection;
const refreshMs = 10_000;
/** instead of a figure that is not known: a zero would say that there is nothing */
const unknown = '–';

/** Four figures: of the chosen site, and of all sites while none is chosen. */
export function ProtectionCards(props: { site: Site | undefined; sites: readonly Site[] }) {
  const { site } = props;
  const sets = useQuery(rulesetsQuery(site?.id));
  const metrics = useQuery({
    ...metricsQuery,
    enabled: usePermission('metrics:view'),
    refetchInterval: refreshMs,
  });
  const rules = (sets.data ?? []).flatMap((set) => set.rules);
  const active = rulesInForce(sets.data ?? [], site ? [site] : props.sites);
  const own = metrics.data?.sites.find((entry) => entry.site_id === site?.id);
  const blocked = site ? (own?.blocked ?? 0) : (metrics.data?.blockedRequests ?? 0);
  const total = site ? (own?.requests ?? 0) : (metrics.data?.totalRequests ?? 0);
  return (
    <CardRow>
      <StatCard
        label={words.totalRules}
        value={sets.data ? formatCount(rules.length) : unknown}
        loading={sets.isLoading}
      />
      <StatCard
        label={words.activeRules}
        value={sets.data ? formatCount(active) : unknown}
        detail={words.inForce}
        loading={sets.isLoading}
      />
      <StatCard
        label={words.blockedThreats}
        value={metrics.data ? formatCount(blocked) : unknown}
        loading={metrics.isLoading}
        stale={metrics.isError}
      />
      <StatCard
        label={words.detectionRate}
        value={metrics.data ? formatPercent(blockRate(blocked, total)) : unknown}
        detail={words.ofRequests(metrics.data ? formatCount(total) : unknown)}
        loading={metrics.isLoading}
        stale={metrics.isError}
      />
    </CardRow>
  );
}
