import {
  inspectedCategories,
  leakKinds,
  modes,
  sensitivities,
  severities,
} from '@portcullis/engine/vocabulary';
import { z } from 'zod';

/** Why a built-in rule does nothing on a site. */
export const idleReasons = [
  'site',
  'security_level',
  'category',
  'sensitivity',
  'exception',
  'response_inspection',
] as const;

/** A rule that ships with the gateways. */
export const BuiltInRule = z.object({
  id: z.string().describe('as events show it and exceptions name it'),
  description: z.string().describe('what it finds'),
  category: z.enum(inspectedCategories).optional().describe('of a rule that looks at requests'),
  leak: z.enum(leakKinds).optional().describe('what a rule finds that looks at answers'),
  severity: z.enum(severities),
  sensitivity: z
    .enum(sensitivities)
    .optional()
    .describe('the least sensitivity of its category at which it counts; absent on rules for answers'),
  score: z
    .number()
    .optional()
    .describe(
      'what it adds to its category, which acts from 5 on, at sensitivity high from 3 on; absent on rules for answers',
    ),
  parts: z
    .array(z.string())
    .describe('parts of the request that it looks at; empty where that is its form, or the answer'),
  site: z
    .object({
      idle: z.enum(idleReasons).optional().describe('why it does nothing there; absent where it counts'),
      mode: z
        .enum(modes)
        .optional()
        .describe('what follows there once there is evidence enough; absent where it does nothing'),
      exceptions: z.number().int().describe('how many exceptions of the site are about it, also in part'),
    })
    .optional()
    .describe('what becomes of it on the site that was asked about'),
});
export type BuiltInRule = z.infer<typeof BuiltInRule>;
