import { z } from 'zod';
import {
  ConfigurationHistoryQuery,
  ConfigurationVersion,
  ConfigurationVersionDetail,
  GatewayState,
} from '../configuration/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ version: z.coerce.number().int().min(1) });

export const configurationEndpoints = {
  versions: endpoint({
    method: 'GET',
    path: '/configuration/versions',
    access: { anyOf: ['settings:view'] },
    summary: 'Saved changes of the configuration, newest first',
    query: ConfigurationHistoryQuery,
    response: z.array(ConfigurationVersion),
  }),
  version: endpoint({
    method: 'GET',
    path: '/configuration/versions/{version}',
    access: { anyOf: ['settings:view'] },
    summary: 'One saved change, with everything before and after',
    params,
    response: ConfigurationVersionDetail,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/configuration/versions/{version}/restore',
    access: { anyOf: ['settings:update'] },
    summary: 'Brings the whole configuration back to how it stood at a version, as a new version',
    params,
    response: ConfigurationVersion,
  }),
  gateways: endpoint({
    method: 'GET',
    path: '/configuration/gateways',
    access: { anyOf: ['metrics:view'] },
    summary: 'What each gateway serves by, and why it refused a configuration',
    response: z.array(GatewayState),
  }),
} as const;
