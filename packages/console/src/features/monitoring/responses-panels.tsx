import { SegmentedControl, Skeleton } from '@mantine/core';
import type { TrafficBreakdown, WindowName } from '@portcullis/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, Stale } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { breakdownQuery, latencyQuery } from '../../lib/queries/index.ts';
import { LatencyChart } from './latency-chart.tsx';
import { StatusMix } from './status-mix.tsx';

const words = messages.monitoring;
const refreshMs = 30_000;
const timing = { refetchInterval: refreshMs, retry: 1, refetchOnWindowFocus: false } as const;
const offered = ['1h', '6h', '24h', '7d'] as const satisfies readonly WindowName[];

/** How requests were answered, and how long that took, over a stretch of time that can be chosen. */
export function ResponsesPanels() {
  const [window, setWindow] = useState<WindowName>('1h');
  return (
    <>
      <LatencyPanel window={window} onWindow={setWindow} />
      <StatusPanel window={window} />
    </>
  );
}

function LatencyPanel(props: { window: WindowName; onWindow: (window: WindowName) => void }) {
  const latency = useQuery({ ...latencyQuery(props.window), ...timing });
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={words.window}
      value={props.window}
      data={offered.map((value) => ({ value, label: value }))}
      onChange={(value) => props.onWindow(value as WindowName)}
    />
  );
  return (
    <Panel title={words.latency} note={words.latencyNote} actions={choice}>
      {latency.data ? (
        <Stale since={latency.isError ? latency.dataUpdatedAt : undefined}>
          <LatencyChart figures={latency.data} />
        </Stale>
      ) : latency.isError ? (
        <ErrorState
          title={words.latencyUnavailable}
          busy={latency.isFetching}
          onRetry={() => void latency.refetch()}
        />
      ) : (
        <Skeleton height={260} />
      )}
    </Panel>
  );
}

function StatusPanel(props: { window: WindowName }) {
  const mix = useQuery({ ...breakdownQuery(props.window), ...timing });
  const total = mix.data && words.responses(formatCount(totalOf(mix.data)));
  return (
    <Panel title={words.statusMix} note={total}>
      {mix.data ? (
        <Stale since={mix.isError ? mix.dataUpdatedAt : undefined}>
          <StatusMix figures={mix.data} />
        </Stale>
      ) : mix.isError ? (
        <ErrorState
          title={words.statusUnavailable}
          busy={mix.isFetching}
          onRetry={() => void mix.refetch()}
        />
      ) : (
        <Skeleton height={32} />
      )}
    </Panel>
  );
}

const totalOf = ({ statuses }: TrafficBreakdown): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0);
