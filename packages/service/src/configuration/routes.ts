import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { GatewayRegistry } from '../gateways/index.ts';
import { serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import type { Configuration } from './configuration.ts';
import { findVersion, listVersions, presentVersion, readVersionDetail } from './history.ts';
import { type Restorer, restoration } from './restore.ts';

export interface ConfigurationParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly gateways: GatewayRegistry;
  /** one for each kind, what others are a part of first */
  readonly restorers: readonly Restorer[];
}

/** Which gateways refused a version, where any did. */
function refusals(gateways: GatewayRegistry, version: number) {
  const refused = gateways.refusalsOf(version);
  return refused.length > 0 ? { refused } : {};
}

/** The history of the configuration, its restoration, and what gateways serve by. */
export function configurationRoutes(app: FastifyInstance, parts: ConfigurationParts): void {
  const { storage, configuration, gateways } = parts;
  const calls = endpoints.configuration;

  serve(app, calls.versions, async ({ query }) =>
    success(
      (await listVersions(storage.read, query.limit, query.before)).map((row) => ({
        ...presentVersion(row),
        ...refusals(gateways, row.version),
      })),
    ),
  );

  serve(app, calls.version, async ({ params }) => {
    const detail = await readVersionDetail(storage, params.version);
    if (!detail) return failure('not_found');
    return success({ ...detail, ...refusals(gateways, detail.version) });
  });

  serve(app, calls.restore, async ({ params, actor, ip }) => {
    const author = { email: actor.email, ip };
    const { version } = configuration.current();
    const work = restoration(params.version, version, author, parts.restorers);
    const restored = await configuration.change(author, work);
    if (!restored.ok) return restored;
    const row = await findVersion(storage.db, configuration.current().version);
    return row ? success(presentVersion(row)) : failure('not_found');
  });
}
