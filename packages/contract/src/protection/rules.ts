import {
  combinators,
  conditionFields,
  conditionOperators,
  ruleActions,
  severities,
} from '@portcullis/engine/vocabulary';
import { z } from 'zod';

export const ruleTypes = [
  'custom',
  'sql_injection',
  'xss',
  'path_traversal',
  'command_injection',
  'csrf',
  'rate_limit',
] as const;

export const ruleStatuses = ['active', 'inactive'] as const;

export const Condition = z.object({
  field: z.enum(conditionFields),
  name: z
    .string()
    .max(256)
    .optional()
    .describe(
      'which header, in any case, or which parameter of the query; left out, all of them. Other fields have no names. ' +
        'Of one that came several times any may match; one that did not come equals nothing, so that not_equals holds',
    ),
  operator: z.enum(conditionOperators),
  value: z.string().max(4096),
});

export const Conditions = z.object({
  operator: z.enum(combinators).default('AND'),
  rules: z
    .array(Condition)
    .min(1, 'Add at least one condition')
    .max(64)
    .describe('a rule without conditions is refused: it would meet every request'),
});

const ruleFields = {
  name: z.string().trim().min(1, 'Rule name is required').max(200),
  description: z.string().max(2000).default(''),
  type: z.enum(ruleTypes).default('custom'),
  conditions: Conditions,
  action: z
    .enum(ruleActions)
    .default('block')
    .describe(
      'allow lets a request pass the rules that follow, challenges and categories; address lists, bans, limits and response ' +
        'inspection hold for it all the same',
    ),
  /** where action `redirect` sends the client: an absolute URL or a path; left out, the site's first page */
  redirectTo: z.string().max(2048).optional(),
  logs: z
    .boolean()
    .default(true)
    .describe('whether what action `allow` lets pass is told of in events; every other decision is'),
  severity: z.enum(severities).default('medium'),
  enabled: z.boolean().default(true),
};

export const CustomRuleCreate = z.object({
  ...ruleFields,
  siteId: z.string().max(64),
  status: z.enum(ruleStatuses).default('active'),
});
export type CustomRuleCreate = z.infer<typeof CustomRuleCreate>;

export const CustomRule = CustomRuleCreate.extend({
  id: z.string(),
  rulesetId: z.string().optional(),
  /** the template that it was copied from */
  templateId: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});
export type CustomRule = z.infer<typeof CustomRule>;
