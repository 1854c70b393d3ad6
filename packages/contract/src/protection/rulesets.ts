import { severities } from '@portcullis/engine/vocabulary';
import { z } from 'zod';
import { CustomRule } from './rules.ts';

export const rulesetStatuses = ['active', 'draft', 'inactive'] as const;

/** A site's set of rules. Only enabled rules of an active set on an enabled site are in force. */
export const Ruleset = z.object({
  id: z.string(),
  siteId: z.string().optional(),
  name: z.string().optional(),
  /** rises with each saved change */
  version: z.union([z.number(), z.string()]),
  status: z.enum(rulesetStatuses),
  rules: z
    .array(
      CustomRule.partial().extend({
        id: z.string(),
        name: z.string(),
        description: z.string().default(''),
        enabled: z.boolean(),
      }),
    )
    .default([]),
});
export type Ruleset = z.infer<typeof Ruleset>;

export const Template = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  severity: z.enum(severities),
  category: z.string(),
  /** shown as 'Recommended' */
  enabled: z.boolean(),
});
export type Template = z.infer<typeof Template>;

export const TemplateApplication = z.object({
  siteId: z.string().max(64),
  ruleIds: z.array(z.string().max(64)).min(1, 'Please select at least one template rule').max(200),
});

/** Rule fields, ruleset fields, or a status alone: what is sent decides, the id tells which kind it is. */
export const RuleOrRulesetUpdate = z.looseObject({
  status: z.enum(rulesetStatuses).optional(),
  version: z.union([z.number(), z.string()]).optional(),
});
