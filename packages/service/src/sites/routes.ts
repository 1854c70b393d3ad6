import { endpoints } from '@portcullis/contract/api';
import type { PageKind, SitePages } from '@portcullis/contract/sites';
import type { FastifyInstance } from 'fastify';
import type { Author, Configuration, EntityChange } from '../configuration/index.ts';
import { serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import type { Storage, Trx } from '../storage/index.ts';
import { creation, removal, update } from './changes.ts';
import type { SiteRepository } from './repository.ts';
import type { UpstreamSurroundings } from './upstream.ts';

/** From which site to which rules are copied, by whom and when. */
export interface RulesCopy {
  readonly from: string;
  readonly to: string;
  readonly author: Author;
  readonly now: number;
}

export interface SiteParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly sites: SiteRepository;
  readonly previewPage: ((kind: PageKind, texts: SitePages, time: string) => string) | undefined;
  readonly now: () => number;
  surroundings(): UpstreamSurroundings;
  /** gives a site copies of another's rulesets and rules, and tells them */
  copyRules(trx: Trx, copy: RulesCopy): Promise<EntityChange[]>;
  /** takes out what belongs to a site, and tells what it was */
  removeDependents(trx: Trx, siteId: string): Promise<EntityChange[]>;
}

/** GET/POST /sites, GET/PUT/DELETE /sites/{id}, PUT /sites/{id}/security-level. */
export function siteRoutes(app: FastifyInstance, parts: SiteParts): void {
  const { storage, configuration, sites, surroundings } = parts;
  const calls = endpoints.sites;

  serve(app, calls.list, async () => success(await sites.all(storage.read)));

  serve(app, calls.get, async ({ params }) => {
    const found = await sites.find(storage.read, params.id);
    return found ? success(found.site) : failure('not_found');
  });

  serve(app, calls.create, async ({ body, sent, query, actor, ip }) => {
    const author = { email: actor.email, ip };
    const { rules_of: from } = query;
    if (from === undefined) return configuration.change(author, creation(body, sent, author, surroundings()));
    if (!actor.permissions.includes('rule:create')) return failure('forbidden');
    const copied = creation(
      body,
      sent,
      author,
      surroundings(),
      async (trx, to, now) =>
        (await sites.find(trx, from)) && parts.copyRules(trx, { from, to, author, now }),
    );
    return configuration.change(author, copied);
  });

  serve(app, calls.update, ({ params, body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, update(sites, params.id, body, author, surroundings()));
  });

  serve(app, calls.updateSecurityLevel, ({ params, body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, update(sites, params.id, body, author, surroundings()));
  });

  serve(app, calls.previewPage, async ({ body: { kind, pages } }) =>
    parts.previewPage
      ? success({ html: parts.previewPage(kind, pages, new Date(parts.now()).toISOString()) })
      : failure('not_found'),
  );

  serve(app, calls.remove, ({ params, actor, ip }) =>
    configuration.change({ email: actor.email, ip }, removal(sites, params.id, parts.removeDependents)),
  );
}
