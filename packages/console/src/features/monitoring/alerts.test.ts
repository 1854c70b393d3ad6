import { Site } from '@portcullis/contract/sites';
import { describe, expect, it } from 'vitest';
import { deriveAlerts, mergeAlerts, splitMessage } from './alerts.ts';
import { siteState } from './site-state.ts';

const site = (enabled: boolean) =>
  Site.parse({
    id: 's',
    name: 'Shop',
    domains: ['shop.example.com'],
    backend_url: 'http://127.0.0.1:3000',
    enabled,
    version: 1,
    created_at: '',
    updated_at: '',
  });
const figures = (health: string) => ({
  site_id: 's',
  requests: 0,
  blocked: 0,
  qps: 0,
  avg_response_time: 0,
  health,
});
const sample = (cpu_usage: number, memory_usage: number, disk_usage: number) => ({
  cpu_usage,
  memory_usage,
  disk_usage,
  memory_used: 0,
  memory_total: 0,
  disk_used: 0,
  disk_total: 0,
  network_in: 0,
  network_out: 0,
});

describe('derived alerts', () => {
  it('are none at the thresholds and one each above them', () => {
    expect(deriveAlerts(sample(80, 85, 90), [])).toEqual([]);
    expect(deriveAlerts(sample(81, 86, 91), []).map(({ type, message }) => [type, message])).toEqual([
      ['warning', 'High memory usage: 86.0%'],
      ['critical', 'High CPU usage: 81.0%'],
      ['critical', 'High disk usage: 91.0%'],
    ]);
  });

  it('name a site that is enabled and unhealthy', () => {
    const alerts = deriveAlerts(undefined, [{ site: site(true), state: 'down' }]);
    expect(alerts).toMatchObject([{ type: 'critical', message: 'Site Shop is down', status: 'active' }]);
  });

  it('add to those that the service keeps what it has not seen yet', () => {
    const kept = (id: string, message: string, status: 'active' | 'resolved') => ({
      id,
      type: 'critical' as const,
      message,
      status,
      timestamp: '2026-03-01T12:00:00.000Z',
    });
    const merged = mergeAlerts(
      [
        kept('1', 'High CPU usage: 92%', 'active'),
        kept('2', 'gateway-2: Events cannot be kept on disk', 'active'),
        kept('3', 'Site Shop is down', 'resolved'),
      ],
      deriveAlerts(sample(93, 86, 0), []),
    );
    expect(merged.map(({ message, status }) => [message, status])).toEqual([
      ['High memory usage: 86.0%', 'active'],
      ['High CPU usage: 92%', 'active'],
      ['gateway-2: Events cannot be kept on disk', 'active'],
      ['Site Shop is down', 'resolved'],
    ]);
    expect(merged.at(-1)?.since).toBe(Date.parse('2026-03-01T12:00:00.000Z'));
  });

  it('are titled by what stands before the first colon', () => {
    expect(splitMessage('High disk usage: 91%')).toEqual({ title: 'High disk usage', rest: '91%' });
    expect(splitMessage('Site Shop is down')).toEqual({ title: 'Site Shop is down', rest: '' });
  });
});

it('calls a site healthy without figures, down when they say so, disabled before all', () => {
  expect(siteState(site(true), undefined)).toBe('healthy');
  expect(siteState(site(true), figures('degraded'))).toBe('down');
  expect(siteState(site(false), figures('critical'))).toBe('disabled');
});
