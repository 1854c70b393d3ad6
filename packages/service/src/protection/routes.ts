import { endpoints, type Issue } from '@portcullis/contract/api';
import type { GatewaySite } from '@portcullis/contract/link';
import type { BuiltInRule, CustomRuleCreate } from '@portcullis/contract/protection';
import type { FastifyInstance } from 'fastify';
import type { Author, Configuration } from '../configuration/index.ts';
import { serve } from '../http/index.ts';
import { failure, invalid, success } from '../outcome.ts';
import type { SiteRepository } from '../sites/index.ts';
import type { Storage } from '../storage/index.ts';
import { application, type ProtectionChanges, protectionRemoval, ruleCreation } from './changes.ts';
import { presentRule, presentRuleset } from './rules.ts';
import type { ProtectionStore } from './store.ts';
import { copyOf, findTemplate, presentTemplate, templates } from './templates/index.ts';
import { TrialThread } from './trial-thread.ts';
import { protectionUpdate } from './updates.ts';

export interface ProtectionParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly protection: ProtectionStore;
  readonly sites: SiteRepository;
  checkRule(rule: CustomRuleCreate): readonly Issue[];
  listBuiltInRules(site: GatewaySite | undefined, nowMs: number): BuiltInRule[];
  readonly trialWorker: URL | undefined;
  readonly now: () => number;
}

const calls = endpoints.protection;

function changesBy(parts: ProtectionParts, author: Author): ProtectionChanges {
  return {
    store: parts.protection,
    author,
    siteExists: async (trx, siteId) => (await parts.sites.find(trx, siteId)) !== undefined,
    checkRule: (rule) => parts.checkRule(rule),
  };
}

function templateRoutes(app: FastifyInstance, parts: ProtectionParts): void {
  serve(app, calls.templates, async () => success(templates.map(presentTemplate)));

  serve(app, calls.applyTemplates, async ({ body: { siteId, ruleIds }, actor, ip }) => {
    const found = [...new Set(ruleIds)].map((id) => ({ id, template: findTemplate(id) }));
    const issues = found.flatMap(({ id, template }) =>
      template ? [] : [{ path: `ruleIds.${ruleIds.indexOf(id)}`, message: `There is no template ${id}` }],
    );
    if (issues.length > 0) return invalid(issues);
    const author = { email: actor.email, ip };
    const copies = found.flatMap(({ template }) => (template ? [copyOf(template, siteId)] : []));
    return parts.configuration.change(author, application(changesBy(parts, author), siteId, copies));
  });
}

function testRoute(app: FastifyInstance, { configuration, trialWorker, now }: ProtectionParts): void {
  const thread = trialWorker && new TrialThread(trialWorker);
  // Before the server waits for the calls under way.
  app.addHook('preClose', () => thread?.stop());
  serve(app, calls.test, async ({ body: { siteId, request }, actor }) => {
    const site = configuration.current().sites.find(({ id }) => id === siteId);
    if (!site || !thread) return failure('not_found');
    return thread.try(actor.userId, { site, request, nowMs: now() });
  });
}

function builtInRoute(app: FastifyInstance, parts: ProtectionParts): void {
  serve(app, calls.builtIn, async ({ query: { siteId } }) => {
    const site = parts.configuration.current().sites.find(({ id }) => id === siteId);
    if (siteId !== undefined && !site) return failure('not_found');
    return success(parts.listBuiltInRules(site, parts.now()));
  });
}

/** Templates, rulesets, custom rules and those that are built in. */
export function protectionRoutes(app: FastifyInstance, parts: ProtectionParts): void {
  const { storage, configuration, protection } = parts;
  templateRoutes(app, parts);
  testRoute(app, parts);
  builtInRoute(app, parts);

  serve(app, calls.list, async ({ query }) => {
    const { siteId } = query;
    const sets = await (siteId === undefined
      ? protection.all(storage.read)
      : protection.ofSite(storage.read, siteId));
    return success(sets.map(({ set, rules }) => presentRuleset(set, rules)));
  });

  serve(app, calls.get, async ({ params: { id } }) => {
    const rule = await protection.rules.find(storage.read, id);
    if (rule) return success(presentRule(rule));
    const set = await protection.rulesets.find(storage.read, id);
    if (!set) return failure('not_found');
    return success(presentRuleset(set, await protection.rules.list(storage.read, id)));
  });

  serve(app, calls.create, ({ body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, ruleCreation(changesBy(parts, author), body));
  });

  serve(app, calls.update, ({ params, body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, protectionUpdate(changesBy(parts, author), params.id, body));
  });

  serve(app, calls.remove, ({ params, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, protectionRemoval(changesBy(parts, author), params.id));
  });
}
