import { z } from 'zod';
import {
  ConfigurationExport,
  ConfigurationHistoryQuery,
  ConfigurationImport,
  ConfigurationImportHeaders,
  ConfigurationImportQuery,
  ConfigurationImportResult,
  ConfigurationVersion,
  ConfigurationVersionDetail,
  VersionNumber,
} from '../configuration/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ version: VersionNumber });

const mayReadAll = { allOf: ['settings:view', 'site:view', 'rule:view'] } as const;
const mayChangeAll = {
  allOf: [
    'settings:update',
    'site:create',
    'site:update',
    'site:delete',
    'rule:create',
    'rule:update',
    'rule:delete',
  ],
} as const;

export const configurationEndpoints = {
  versions: endpoint({
    method: 'GET',
    path: '/configuration/versions',
    access: mayReadAll,
    summary: 'Saved changes of the configuration, newest first',
    query: ConfigurationHistoryQuery,
    response: z.array(ConfigurationVersion),
  }),
  version: endpoint({
    method: 'GET',
    path: '/configuration/versions/{version}',
    access: mayReadAll,
    summary: 'One saved change, with everything before and after',
    params,
    response: ConfigurationVersionDetail,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/configuration/versions/{version}/restore',
    access: mayChangeAll,
    summary: 'Brings the whole configuration back to how it stood at a version, as a new version',
    params,
    response: ConfigurationVersion,
  }),
  export: endpoint({
    method: 'GET',
    path: '/configuration/export',
    access: mayReadAll,
    summary: 'The whole configuration as one YAML file, certificates by reference, without secrets',
    produces: ['application/yaml'],
  }),
  exportSealed: endpoint({
    method: 'POST',
    path: '/configuration/export',
    access: mayChangeAll,
    summary: 'The same with the secrets of the notification channels, sealed with a passphrase',
    body: ConfigurationExport,
    produces: ['application/yaml'],
  }),
  import: endpoint({
    method: 'POST',
    path: '/configuration/import',
    access: mayChangeAll,
    summary: 'Tells what a file would change, or applies it whole as one new version',
    body: ConfigurationImport,
    response: ConfigurationImportResult,
  }),
  importFile: endpoint({
    method: 'POST',
    path: '/configuration/import/file',
    access: mayChangeAll,
    summary:
      'The same of a file as it is, up to 64 MiB, also as Content-Encoding: gzip. Secrets that it holds sealed are left out without the passphrase',
    query: ConfigurationImportQuery,
    headers: ConfigurationImportHeaders,
    accepts: 'application/yaml',
    response: ConfigurationImportResult,
  }),
} as const;
