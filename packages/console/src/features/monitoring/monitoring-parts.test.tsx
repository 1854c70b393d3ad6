// @vitest-environment happy-dom
import { Site } from '@portcullis/contract/sites';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { createQueryClient } from '../../lib/api/index.ts';
import { AlertList } from './alert-list.tsx';
import type { Alert } from './alerts.ts';
import { PerformancePanel } from './performance-panel.tsx';
import { SiteHealthList } from './site-health-list.tsx';
import type { MonitoredSite } from './use-monitoring.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

async function drawn(content: ReactNode): Promise<string> {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  const client = createQueryClient(() => {});
  await act(async () => root.render(<QueryClientProvider client={client}>{content}</QueryClientProvider>));
  const markup = holder.innerHTML;
  await act(async () => root.unmount());
  return markup;
}

const alert = (over: Partial<Alert>): Alert => ({
  ...{ id: 'disk', type: 'critical', message: 'High disk usage: 93.0%', status: 'active', since: undefined },
  ...over,
});

it('says that there is no alert and all is well', async () => {
  const markup = await drawn(<AlertList alerts={[]} loading={false} />);
  expect(markup).toContain('No active alerts');
  expect(markup).toContain('All systems operating normally');
});

it('names an alert by its words before the colon, with type, status and age', async () => {
  const markup = await drawn(<AlertList alerts={[alert({ since: Date.now() })]} loading={false} />);
  expect(markup).toMatch(/>High disk usage<.*>93\.0% · /);
  expect(markup).toContain('aria-label="Critical"');
  expect(markup).toContain('active');
  expect(markup).toContain('just now');
});

it('dims the rows that are no longer active', async () => {
  expect(await drawn(<AlertList alerts={[alert({})]} loading={false} />)).not.toContain('data-dimmed');
  const resolved = alert({ status: 'resolved' });
  expect(await drawn(<AlertList alerts={[resolved]} loading={false} />)).toContain('data-dimmed="true"');
});

it('shows an attack string in an alert as text', async () => {
  const named = alert({ message: 'Site <script>alert(1)</script> is down' });
  expect(await drawn(<AlertList alerts={[named]} loading={false} />)).not.toContain('<script>');
});

it.each([
  ['no-token', 'No authentication token'],
  ['lost', 'Connection lost. Reconnecting...'],
] as const)('says why there are no live figures: %s', async (problem, words) => {
  expect(await drawn(<PerformancePanel stream={{ latest: undefined, history: [], problem }} />)).toContain(
    words,
  );
});

const shop = Site.parse({
  ...{ id: 'shop', name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' },
  ...{ enabled: true, version: 1, created_at: '', updated_at: '' },
});
const figures = { site_id: 'shop', requests: 10, blocked: 1, qps: 0, avg_response_time: 0, uptime: 99 };
const state = async (entry: Pick<MonitoredSite, 'state'> & { health: 'critical' | 'degraded' }) => {
  const site: MonitoredSite = {
    site: shop,
    metrics: { ...figures, health: entry.health },
    state: entry.state,
  };
  const markup = await drawn(<SiteHealthList sites={[site]} failed={false} onRetry={() => undefined} />);
  return new DOMParser().parseFromString(markup, 'text/html').querySelector('[data-label="State"]')
    ?.textContent;
};

it('says of a site that is down how it answers, and nothing more where it does not answer', async () => {
  expect(await state({ state: 'down', health: 'critical' })).toBe('Down');
  expect(await state({ state: 'down', health: 'degraded' })).toBe('Down · Degraded');
});
