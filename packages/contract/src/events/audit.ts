import { z } from 'zod';
import { EventMatch, ReachedThreshold } from './event.ts';

/** An entry of the security log as the API shows it: from a gateway's event or from an admin's action. */
export const AuditEntry = z.object({
  id: z.string(),
  timestamp: z.string(),
  level: z.string(),
  /** `blocked`, `challenged`, `logged`, `redirected`, `allowed`, or an admin action such as `site.update` */
  action: z.string(),
  message: z.string(),
  method: z.string().optional(),
  path: z.string().optional(),
  host: z.string().optional(),
  statusCode: z.number().optional(),
  siteId: z.string().optional(),
  siteName: z.string().optional(),
  clientIP: z.string().optional(),
  /** the same, as other servers of this contract may name it */
  ip: z.string().optional(),
  /** ISO 3166-1 alpha-2 code of the address, where the operator gave a country database that knows it */
  country: z.string().optional(),
  userAgent: z.string().optional(),
  kind: z.string().optional(),
  ruleType: z.string().optional(),
  ruleId: z.string().optional(),
  decision: z.string().optional(),
  /** the decision that a site which is only watched did not carry out */
  would: z.string().optional(),
  threat: z.string().optional(),
  score: z.number().optional(),
  reached: ReachedThreshold.optional(),
  requestId: z.string().optional(),
  count: z.number().optional(),
  matches: z.array(EventMatch).optional(),
  /** the signed-in user behind an admin action */
  actor: z.string().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Comma-separated lists, as the console sends them. */
const list = z
  .string()
  .max(256)
  .transform((text) => text.split(',').filter((part) => part !== ''));

export const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  level: list.optional(),
  action: list.optional(),
  siteId: z.string().max(64).optional(),
  requestId: z.string().max(64).optional(),
  /** text that stands somewhere in the entry, whatever its case */
  q: z.string().max(256).optional(),
  /** Unix time in milliseconds: nothing older */
  since: z.coerce.number().int().min(0).optional(),
  /** Unix time in milliseconds: only what is older; entries of one millisecond cannot be parted by it, so pages are read from GET /events and GET /audit/admin */
  until: z.coerce.number().int().min(0).optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/** What the admin log tells of, `about what`.`which`. Entries of other versions and servers may say something else. */
export const adminActions = [
  'access.create',
  'access.delete',
  'access.lift',
  'access.update',
  'api_token.create',
  'api_token.revoke',
  'auth.backup_codes_renewed',
  'auth.confirmation_failed',
  'auth.locked',
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.password_changed',
  'auth.profile_changed',
  'auth.sessions_revoked',
  'auth.setup',
  'auth.totp_disabled',
  'auth.totp_enabled',
  'certificate.fail',
  'certificate.issue',
  'certificate.prove',
  'certificate.remove',
  'certificate.upload',
  'configuration.export',
  'configuration.import',
  'configuration.restore',
  'database.move',
  'database.restore',
  'gateways.rotate_keys',
  'rule.create',
  'rule.delete',
  'rule.update',
  'ruleset.create',
  'ruleset.delete',
  'ruleset.update',
  'settings.general',
  'settings.notifications',
  'settings.security',
  'settings.token_key_rotated',
  'site.create',
  'site.delete',
  'site.update',
  'user.create',
  'user.delete',
  'user.totp_reset',
  'user.update',
] as const;
export type AdminActionCode = (typeof adminActions)[number];

type TopicOf<Code> = Code extends `${infer Topic}.${string}` ? Topic : never;

/** What admin actions are about: the first word of their codes. */
export type AdminTopic = TopicOf<AdminActionCode>;

export const actionOfDecision = {
  block: 'blocked',
  challenge: 'challenged',
  redirect: 'redirected',
  allow: 'allowed',
  log: 'logged',
  pass: 'logged',
} as const;

/** @returns the label of spec: block gives 'blocked', challenge 'challenged', anything else 'logged' */
export function threatActionLabel(decision: string | undefined): 'blocked' | 'challenged' | 'logged' {
  if (decision === 'block') return 'blocked';
  return decision === 'challenge' ? 'challenged' : 'logged';
}
