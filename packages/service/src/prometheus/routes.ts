import type { FastifyInstance } from 'fastify';
import type { GatewayRegistry } from '../gateways/index.ts';
import { refusal, sendFailure } from '../http/index.ts';
import type { Db } from '../storage/index.ts';
import { readTotals } from '../traffic/index.ts';
import { exposition, expositionType } from './exposition.ts';
import { gatewayMetrics } from './gateways.ts';
import { type ServiceFigures, serviceMetrics } from './service.ts';
import { trafficMetrics } from './traffic.ts';

export interface PrometheusParts {
  readonly read: Db;
  readonly gateways: GatewayRegistry;
  figures(): ServiceFigures;
}

const access = { anyOf: ['metrics:view'] } as const;

/** GET /metrics on the host root, where Prometheus looks: for tokens that may see metrics, and for nobody else. */
export function prometheusRoutes(app: FastifyInstance, { read, gateways, figures }: PrometheusParts): void {
  app.get('/metrics', async (request, reply) => {
    const code = refusal(access, request.authentication);
    if (code) {
      if (code !== 'forbidden') reply.header('WWW-Authenticate', 'Bearer');
      return sendFailure(reply, { ok: false, code });
    }
    const now = figures();
    const known = new Set(['', ...now.sites.map(({ id }) => id)]);
    const totals = (await readTotals(read)).filter(({ site_id }) => known.has(site_id));
    const metrics = [...serviceMetrics(now), ...gatewayMetrics(gateways), ...trafficMetrics(totals)];
    return reply.type(expositionType).send(exposition(metrics));
  });
}
