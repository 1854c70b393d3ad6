import { useQuery } from '@tanstack/react-query';
import { Later } from '../../components/later.tsx';
import { CardRow, Columns, Page } from '../../components/page.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { Banner, ErrorState } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { metricsQuery } from '../../lib/queries/index.ts';
import { FigureCards } from './figure-cards.tsx';
import { FirstSteps } from './first-steps.tsx';
import { RecentThreats } from './recent-threats.tsx';
import { fewSites, SiteHealth } from './site-health.tsx';
import { ThreatPictures } from './threat-pictures.tsx';
import { TrafficOverview } from './traffic-overview.tsx';

const words = messages.dashboard;
const refreshMs = 5_000;
const staleMs = 2_000;

/** Traffic and threats at a glance. */
export function DashboardScreen() {
  const metrics = useQuery({ ...metricsQuery, refetchInterval: refreshMs, staleTime: staleMs });
  const retry = () => void metrics.refetch();
  if (metrics.isError && !metrics.data) {
    return (
      <Page title={words.title} purpose={words.subtitle}>
        <ErrorState
          title={words.failedTitle}
          text={words.failedText}
          onRetry={retry}
          busy={metrics.isFetching}
        />
      </Page>
    );
  }
  return (
    <Page title={words.title} purpose={words.subtitle}>
      {metrics.isError ? (
        <Banner tone="warning" since={metrics.dataUpdatedAt} onRetry={retry} busy={metrics.isFetching}>
          {words.staleBanner}
        </Banner>
      ) : null}
      <FirstSteps metrics={metrics.data} />
      <CardRow>
        <FigureCards metrics={metrics.data} stale={metrics.isError} />
      </CardRow>
      <Columns stacked={fewSites(metrics.data)}>
        <TrafficOverview />
        <SiteHealth metrics={metrics.data} />
      </Columns>
      <Allowed anyOf={['audit:view']}>
        <Later after={metrics.data !== undefined}>
          <ThreatPictures />
          <RecentThreats />
        </Later>
      </Allowed>
    </Page>
  );
}
