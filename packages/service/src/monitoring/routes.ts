import { endpoints } from '@portcullis/contract/api';
import { actionOfDecision } from '@portcullis/contract/events';
import type { ThreatEvent } from '@portcullis/contract/monitoring';
import type { FastifyInstance } from 'fastify';
import { listAlerts, type UnstoredAlerts } from '../alerts/index.ts';
import { newestEvents } from '../events/index.ts';
import { serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { type FigureParts, readHourlyTraffic, readMetrics } from './figures.ts';
import { readBreakdown, readLatency, type WindowParts } from './windows.ts';

export interface MonitoringParts extends FigureParts, WindowParts {
  readonly storage: Storage;
  /** what asks for attention while the database takes no alerts */
  unstored(): UnstoredAlerts | undefined;
}

const dayMs = 86_400_000;

/** Threats that the threat analysis is drawn from: the newest of the last day. */
const threatsShown = 1000;

async function readThreats(parts: MonitoringParts, siteId: string | undefined): Promise<ThreatEvent[]> {
  const since = parts.now() - dayMs;
  const events = await newestEvents(parts.storage, {
    limit: threatsShown,
    siteId,
    since,
    withCategory: true,
  });
  return events.map((event) => ({
    type: event.category ?? event.kind,
    action: actionOfDecision[event.decision],
  }));
}

/** Traffic figures, from all time down to percentiles of a window, and what asks for attention. */
export function monitoringRoutes(app: FastifyInstance, parts: MonitoringParts): void {
  serve(app, endpoints.monitoring.metrics, async ({ query }) =>
    success(query.type === 'threats' ? await readThreats(parts, query.siteId) : await readMetrics(parts)),
  );

  serve(app, endpoints.monitoring.latency, async ({ query }) => success(await readLatency(parts, query)));

  serve(app, endpoints.monitoring.breakdown, async ({ query }) => success(await readBreakdown(parts, query)));

  serve(app, endpoints.monitoring.alerts, async ({ query }) =>
    success(await listAlerts(parts.read, query.limit, parts.unstored())),
  );

  serve(app, endpoints.monitoring.hourlyTraffic, async () => success(await readHourlyTraffic(parts)));
}
