import { z } from 'zod';
import {
  BuiltInRule,
  CustomRule,
  CustomRuleCreate,
  RuleOrRulesetUpdate,
  Ruleset,
  RuleTest,
  RuleTestOutcome,
  Template,
  TemplateApplication,
} from '../protection/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ id: z.string().max(64) });

export const protectionEndpoints = {
  templates: endpoint({
    method: 'GET',
    path: '/protection/templates',
    access: { anyOf: ['rule:view'] },
    summary: 'Rules that can be applied as they are',
    response: z.array(Template),
  }),
  applyTemplates: endpoint({
    method: 'POST',
    path: '/protection/templates/apply',
    access: { anyOf: ['rule:create'] },
    summary: 'Copies templates into a new ruleset of a site',
    body: TemplateApplication,
    response: Ruleset,
  }),
  test: endpoint({
    method: 'POST',
    path: '/protection/test',
    access: { anyOf: ['rule:view'] },
    summary: "What a site's inspection would make of a request, with all that it looked at; nothing is sent",
    body: RuleTest,
    response: RuleTestOutcome,
  }),
  builtIn: endpoint({
    method: 'GET',
    path: '/protection/built-in-rules',
    access: { anyOf: ['rule:view'] },
    summary: 'The rules that ship with the gateways; with a site named, what becomes of each there',
    query: z.object({ siteId: z.string().max(64).optional() }),
    response: z.array(BuiltInRule),
  }),
  list: endpoint({
    method: 'GET',
    path: '/protection/rules',
    access: { anyOf: ['rule:view'] },
    summary: 'The rulesets of a site; of every site where none is named',
    query: z.object({ siteId: z.string().max(64).optional() }),
    response: z.array(Ruleset),
  }),
  create: endpoint({
    method: 'POST',
    path: '/protection/rules',
    access: { anyOf: ['rule:create'] },
    summary: "Creates a custom rule in the site's own ruleset; one without conditions is refused",
    body: CustomRuleCreate,
    response: CustomRule,
  }),
  get: endpoint({
    method: 'GET',
    path: '/protection/rules/{id}',
    access: { anyOf: ['rule:view'] },
    summary: 'A ruleset with its rules, or one rule',
    params,
    response: z.union([Ruleset, CustomRule]),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/protection/rules/{id}',
    access: { anyOf: ['rule:update'] },
    summary: 'Changes a rule or a ruleset, or only its status',
    params,
    body: RuleOrRulesetUpdate,
    response: z.union([Ruleset, CustomRule]),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/protection/rules/{id}',
    access: { anyOf: ['rule:delete'] },
    summary: 'Deletes a rule or a ruleset',
    params,
  }),
} as const;
