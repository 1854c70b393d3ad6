import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { ConnectionState } from '../../components/connection-state.tsx';
import { Columns, Page } from '../../components/page.tsx';
import { areFew } from '../../components/some-rows.tsx';
import { Banner } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { useSystemStream } from '../../lib/system/index.ts';
import { AlertList } from './alert-list.tsx';
import { FleetPanel } from './fleet-panel.tsx';
import { MonitoringCards } from './monitoring-cards.tsx';
import { PerformancePanel } from './performance-panel.tsx';
import { ResponsesPanels } from './responses-panels.tsx';
import { SiteHealthList } from './site-health-list.tsx';
import type { MonitoredSite } from './use-monitoring.ts';
import { useAlerts, useMonitoring } from './use-monitoring.ts';

const words = messages.monitoring;
const noSites: readonly MonitoredSite[] = [];
const tones = { live: 'good', loading: 'waiting', error: 'bad' } as const;

/** The machine, its sites, and what needs attention. */
export function MonitoringScreen() {
  const monitoring = useMonitoring();
  const stream = useSystemStream();
  const { sites, status, retry, busy } = monitoring;
  const alerts = useAlerts(stream.latest, sites ?? noSites);
  const active = alerts.filter((alert) => alert.status === 'active');
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <>
          <ConnectionState tone={tones[status]} label={words.statuses[status]} />
          {status === 'error' ? (
            <Button variant="default" leftSection={<IconRefresh size={16} />} loading={busy} onClick={retry}>
              {messages.common.retry}
            </Button>
          ) : null}
        </>
      }
    >
      {status === 'error' ? (
        <Banner tone="warning" {...(monitoring.since ? { since: monitoring.since } : {})}>
          {words.failed}
        </Banner>
      ) : null}
      <MonitoringCards
        metrics={monitoring.metrics}
        stale={status === 'error'}
        sample={stream.latest}
        sites={sites}
        alerts={active}
      />
      <PerformancePanel stream={stream} />
      <ResponsesPanels />
      <Columns stacked={areFew(sites?.length ?? 0)}>
        <SiteHealthList sites={sites} failed={status === 'error'} onRetry={retry} />
        <AlertList alerts={alerts} loading={status === 'loading'} />
      </Columns>
      <FleetPanel />
    </Page>
  );
}
