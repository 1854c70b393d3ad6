import { categories, ruleActions } from '@portcullis/engine/vocabulary';
import { z } from 'zod';
import { EventMatch, ReachedThreshold } from '../events/index.ts';

const headerName = /^[!#$%&'*+.^_`|~\w-]{1,128}$/;

/** A request to try on a site without sending it. */
export const TriedRequest = z.object({
  method: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~\w-]{1,32}$/, 'Use a method such as GET')
    .default('GET'),
  /** path and query as a client sends them, undecoded */
  target: z.string().startsWith('/', 'The path starts with /').max(16_384),
  headers: z
    .array(
      z.object({ name: z.string().regex(headerName, 'Use a header name'), value: z.string().max(16_384) }),
    )
    .max(200)
    .default([]),
  body: z.string().max(262_144).default(''),
  clientIp: z.union([z.ipv4(), z.ipv6()], 'Use an address such as 192.0.2.1').default('192.0.2.1'),
});
export type TriedRequest = z.infer<typeof TriedRequest>;

export const RuleTest = z.object({ siteId: z.string().max(64), request: TriedRequest });
export type RuleTest = z.infer<typeof RuleTest>;

/** One text of the request, and the rules that looked at it. */
export const RuleEvaluation = z.object({
  /** `query:id`, `json:items.0.name` */
  target: z.string(),
  /** decoders that were applied to the raw value, in order */
  transformations: z.array(z.string()),
  /** latin1, 512 characters at most */
  value: z.string(),
  /** ids of the rules that were run on it */
  evaluated: z.array(z.string()),
  /** ids of those that matched */
  matched: z.array(z.string()),
});

/** What a site's inspection makes of a request, with everything that it looked at. */
export const RuleTestOutcome = z.object({
  decision: z.enum(['pass', ...ruleActions]),
  /** where a redirect goes */
  location: z.string().optional(),
  /** what decided; absent on a pass */
  ruleId: z.string().optional(),
  category: z.enum(categories).optional(),
  /** one sentence for a person */
  message: z.string(),
  score: z.number(),
  /** what the category that decided reached */
  reached: ReachedThreshold.optional(),
  /** by category */
  scores: z.record(z.string(), z.number()),
  overBudget: z.boolean(),
  matches: z.array(EventMatch),
  /** texts on which no rule had to be run are left out */
  evaluations: z.array(RuleEvaluation),
  /** names and values that the request was taken apart into */
  valueCount: z.number().int(),
  /** what was odd about its form */
  oddities: z.array(z.string()),
});
export type RuleTestOutcome = z.infer<typeof RuleTestOutcome>;
