import { monitoringEndpoints } from '@portcullis/contract/api';
import type {
  HourlyTraffic,
  LatencyFigures,
  Metrics,
  ThreatEvent,
  TrafficBreakdown,
  WindowName,
} from '@portcullis/contract/monitoring';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call } from '../api/index.ts';

/** Traffic figures since the beginning, with one entry a site. */
export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: async ({ signal }): Promise<Metrics> => {
    const answer = await call(monitoringEndpoints.metrics, {}, signal);
    if (Array.isArray(answer)) throw new ApiError(200, { error: 'The service answered something else' });
    return { ...answer, sites: answer.sites ?? [] };
  },
});

/** What was decided about each threat on one site. */
export const threatsQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['threats', siteId],
    queryFn: async ({ signal }): Promise<ThreatEvent[]> => {
      const answer = await call(monitoringEndpoints.metrics, { query: { type: 'threats', siteId } }, signal);
      return Array.isArray(answer) ? answer : [];
    },
  });

/** Requests and blocks of the last 24 hours, an entry an hour, oldest first. */
export const hourlyTrafficQuery = queryOptions({
  queryKey: ['traffic', 'hourly'],
  queryFn: ({ signal }): Promise<z.infer<typeof HourlyTraffic>> =>
    call(monitoringEndpoints.hourlyTraffic, {}, signal),
});

/** Traffic by decision and status class over the last stretch of time, with its most frequent attackers and targets. */
export const breakdownQuery = (window: WindowName) =>
  queryOptions({
    queryKey: ['traffic', 'breakdown', window],
    queryFn: ({ signal }): Promise<TrafficBreakdown> =>
      call(monitoringEndpoints.breakdown, { query: { window } }, signal),
  });

/** How long requests took over the last stretch of time. */
export const latencyQuery = (window: WindowName) =>
  queryOptions({
    queryKey: ['traffic', 'latency', window],
    queryFn: ({ signal }): Promise<LatencyFigures> =>
      call(monitoringEndpoints.latency, { query: { window } }, signal),
  });
