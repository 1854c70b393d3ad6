import { monitoringEndpoints } from '@portcullis/contract/api';
import type { Metrics, SiteMetrics, SystemSample } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../lib/api/index.ts';
import { metricsQuery, sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import type { Alert } from './alerts.ts';
import { deriveAlerts, mergeAlerts } from './alerts.ts';
import type { SiteState } from './site-state.ts';
import { siteState } from './site-state.ts';

const timing = { retry: 1, refetchOnWindowFocus: false } as const;
const metricsTiming = { ...timing, refetchInterval: 5_000, staleTime: 2_000 } as const;
const sitesTiming = { ...timing, refetchInterval: 30_000, staleTime: 10_000 } as const;

/** A site with its figures and what they mean. */
export interface MonitoredSite {
  site: Site;
  metrics: SiteMetrics | undefined;
  state: SiteState;
}

/** What the monitoring screen shows. */
export interface Monitoring {
  metrics: Metrics | undefined;
  sites: MonitoredSite[] | undefined;
  status: 'loading' | 'error' | 'live';
  /** when the figures came, Unix milliseconds; undefined before the first */
  since: number | undefined;
  busy: boolean;
  retry: () => void;
}

const alertsTiming = { refetchInterval: 10_000, refetchOnWindowFocus: false, retry: false } as const;

/** What needs attention: as the service keeps it, and what the figures here say. */
export function useAlerts(sample: SystemSample | undefined, sites: readonly MonitoredSite[]): Alert[] {
  const kept = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => call(monitoringEndpoints.alerts, {}, signal),
    ...alertsTiming,
  }).data;
  return useMemo(() => mergeAlerts(kept ?? [], deriveAlerts(sample, sites)), [kept, sample, sites]);
}

/** Figures and sites at the pace of the monitoring screen: retried once, not on focus. */
export function useMonitoring(): Monitoring {
  const metrics = useQuery({ ...metricsQuery, ...metricsTiming });
  const sites = useQuery({ ...sitesQuery, ...sitesTiming, enabled: usePermission('site:view') });
  const merged = useMemo(
    () => (sites.data ? merge(sites.data, metrics.data?.sites ?? []) : undefined),
    [sites.data, metrics.data],
  );
  const failed = metrics.isError || sites.isError;
  return {
    metrics: metrics.data,
    sites: merged,
    status: failed ? 'error' : metrics.isPending ? 'loading' : 'live',
    since: metrics.data && metrics.dataUpdatedAt,
    busy: metrics.isFetching || sites.isFetching,
    retry: () => {
      void metrics.refetch();
      void sites.refetch();
    },
  };
}

function merge(sites: readonly Site[], figures: readonly SiteMetrics[]): MonitoredSite[] {
  const byId = new Map(figures.map((entry) => [entry.site_id, entry]));
  return sites.map((site) => {
    const metrics = byId.get(site.id);
    return { site, metrics, state: siteState(site, metrics) };
  });
}
