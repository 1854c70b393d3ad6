import { categories, sensitivities, severities } from '@portcullis/engine/vocabulary';
import { z } from 'zod';

export const decisions = ['block', 'challenge', 'log', 'redirect', 'allow', 'pass'] as const;
export type Decision = (typeof decisions)[number];

/** What a site that is only watched does not carry out. */
export const withheldDecisions = ['block', 'challenge', 'redirect'] as const satisfies readonly Decision[];

export const logLevels = ['error', 'warning', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What kind of decision or occurrence an event tells of. */
export const eventKinds = [
  'detection',
  'custom_rule',
  'rate_limit',
  'address_list',
  'challenge',
  'protocol',
  'upstream_error',
  'response_leak',
  'maintenance',
  'engine',
  'health',
  'access',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Why one rule matched. Text is the attacker's: data to show, never markup. */
export const EventMatch = z.object({
  ruleId: z.string(),
  message: z.string(),
  category: z.enum(categories).optional(),
  severity: z.enum(severities),
  score: z.number(),
  /** the part of the request: `query:id`, `header:referer`, `json:items.0.name`; names as latin1 like values */
  target: z.string(),
  /** the decoded value around the match, latin1, 512 characters at most */
  value: z.string().max(2048),
  /** offsets into `value`, [start, end) */
  span: z.tuple([z.number().int(), z.number().int()]),
  transformations: z.array(z.string()),
});
export type EventMatch = z.infer<typeof EventMatch>;

/** Why a category acted: what its matches weighed together, and from what on it acts. */
export const ReachedThreshold = z.object({
  /** of the category alone; the event's own score is the sum over all categories */
  score: z.number(),
  threshold: z.number(),
  /** that sets the threshold, as the site's security level left it */
  sensitivity: z.enum(sensitivities),
});
export type ReachedThreshold = z.infer<typeof ReachedThreshold>;

/**
 * One decision of a gateway that is not a plain pass, with what an operator needs to judge it. Secrets are
 * masked before it leaves the gateway.
 */
export const SecurityEvent = z.object({
  /** unique for ever; a repeat of the same id is the same event */
  id: z.string().min(1).max(64),
  /** stands on the block page too, and in the X-Request-Id that the upstream sees */
  requestId: z.string().max(64),
  /** Unix time in milliseconds, by the gateway's clock */
  time: z.number().int(),
  gatewayId: z.string().max(64),
  kind: z.enum(eventKinds),
  level: z.enum(logLevels),
  decision: z.enum(decisions),
  /** what the decision would have been on a site that is not only watched; `decision` is then `log` */
  would: z.enum(withheldDecisions).optional(),
  /** absent where no site was found for the host */
  siteId: z.string().max(64).optional(),
  method: z.string().max(64),
  host: z.string().max(256),
  /** the request-target, secrets masked, cut to 2,048 characters */
  path: z.string().max(2048),
  /** the status that the client got */
  status: z.number().int(),
  clientIp: z.string().max(64),
  userAgent: z.string().max(512),
  category: z.enum(categories).optional(),
  ruleId: z.string().max(128).optional(),
  /** one sentence for a person: 'SQL injection blocked in query parameter id: a UNION that selects' */
  message: z.string().max(1024),
  score: z.number().optional(),
  /** absent where no category's score decided, and on events of gateways from before it was told */
  reached: ReachedThreshold.optional(),
  matches: z.array(EventMatch).max(32),
  /** how many alike events this one stands for */
  count: z.number().int().min(1).default(1),
  /** time that the gateway took to decide */
  decisionMicros: z.number().int().optional(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;
