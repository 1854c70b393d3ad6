import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Columns, Page } from '../../components/page.tsx';
import { Banner } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { useSystemStream } from '../../lib/system/index.ts';
import { AlertList } from './alert-list.tsx';
import { deriveAlerts } from './alerts.ts';
import { MonitoringCards } from './monitoring-cards.tsx';
import classes from './monitoring-screen.module.css';
import { PerformancePanel } from './performance-panel.tsx';
import { SiteHealthList } from './site-health-list.tsx';
import { useMonitoring } from './use-monitoring.ts';

const words = messages.monitoring;

/** The machine, its sites, and what needs attention. */
export function MonitoringScreen() {
  const monitoring = useMonitoring();
  const stream = useSystemStream();
  const { sites, status, retry, busy } = monitoring;
  const alerts = useMemo(() => deriveAlerts(stream.latest, sites ?? []), [stream.latest, sites]);
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <>
          <span className={classes.status} data-status={status} role="status">
            <span className={classes.dot} aria-hidden />
            {words.statuses[status]}
          </span>
          {status === 'error' ? (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={15} />}
              loading={busy}
              onClick={retry}
            >
              {messages.common.retry}
            </Button>
          ) : null}
        </>
      }
    >
      {status === 'error' ? <Banner tone="warning">{words.failed}</Banner> : null}
      <MonitoringCards
        metrics={monitoring.metrics}
        stale={status === 'error'}
        sample={stream.latest}
        sites={sites}
        alerts={alerts.length}
      />
      <PerformancePanel stream={stream} />
      <Columns>
        <SiteHealthList sites={sites} failed={status === 'error'} onRetry={retry} />
        <AlertList alerts={alerts} loading={status === 'loading'} />
      </Columns>
    </Page>
  );
}
