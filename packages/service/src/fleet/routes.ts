import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import { serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { FleetWatch } from './watch.ts';

/** Every gateway and service, for who may see how things are. */
export function fleetRoutes(app: FastifyInstance, { fleet }: { readonly fleet: FleetWatch }): void {
  serve(app, endpoints.fleet.list, async () => success(fleet.list()));
}
