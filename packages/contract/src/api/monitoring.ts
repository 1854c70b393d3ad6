import { z } from 'zod';
import {
  Alert,
  AlertsQuery,
  HourlyTraffic,
  LatencyFigures,
  Metrics,
  MetricsQuery,
  ThreatEvent,
  TrafficBreakdown,
  WindowQuery,
} from '../monitoring/index.ts';
import { endpoint } from './endpoint.ts';

export const monitoringEndpoints = {
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    access: { anyOf: ['metrics:view'] },
    summary: 'Traffic figures, or with type=threats the threats of a site',
    query: MetricsQuery,
    response: z.union([Metrics, z.array(ThreatEvent)]),
  }),
  latency: endpoint({
    method: 'GET',
    path: '/metrics/latency',
    access: { anyOf: ['metrics:view'] },
    summary: 'Percentiles of the time that requests took, over a window and point by point',
    query: WindowQuery,
    response: LatencyFigures,
  }),
  breakdown: endpoint({
    method: 'GET',
    path: '/metrics/breakdown',
    access: { anyOf: ['metrics:view'] },
    summary:
      'Traffic by decision and status class over a window, and the most frequent attackers and targets',
    query: WindowQuery,
    response: TrafficBreakdown,
  }),
  hourlyTraffic: endpoint({
    method: 'GET',
    path: '/monitoring/traffic/hourly',
    access: { anyOf: ['metrics:view'] },
    summary: 'Requests and blocks of the last 24 hours, an entry an hour, oldest first',
    response: HourlyTraffic,
  }),
  alerts: endpoint({
    method: 'GET',
    path: '/monitoring/alerts',
    access: { anyOf: ['metrics:view'] },
    summary: 'Conditions that ask for attention, active ones first, then the newest',
    query: AlertsQuery,
    response: z.array(Alert),
  }),
} as const;
