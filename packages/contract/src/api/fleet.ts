import { Fleet } from '../fleet/index.ts';
import { endpoint } from './endpoint.ts';

export const fleetEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/fleet',
    access: { anyOf: ['metrics:view'] },
    summary: 'Every gateway and service: what it runs, how it is, and what of it asks for attention',
    response: Fleet,
  }),
} as const;
