import { z } from 'zod';
import { AuditEntry } from './audit.ts';
import { withheldDecisions } from './event.ts';

/** Comma-separated lists, as links carry them. */
const list = z
  .string()
  .max(1024)
  .transform((text) => text.split(',').filter((part) => part !== ''));

/** What events are searched by; all that is set must hold. */
export const EventFilter = z.object({
  /** ISO 8601; the first moment that counts */
  from: z.iso.datetime({ offset: true }).optional(),
  /** ISO 8601; the first moment that does not */
  to: z.iso.datetime({ offset: true }).optional(),
  siteId: z.string().max(64).optional(),
  level: list.optional(),
  /** `blocked`, `challenged`, `redirected`, `logged` */
  action: list.optional(),
  /** what a site that is only watched would have done: `block`, `challenge`, `redirect` */
  would: list.pipe(z.array(z.enum(withheldDecisions))).optional(),
  category: list.optional(),
  ruleId: z.string().max(128).optional(),
  clientIp: z.string().max(64).optional(),
  requestId: z.string().max(64).optional(),
  /** class of the status that the client got: `4xx`, `5xx` */
  status: z
    .string()
    .regex(/^[1-5]xx$/)
    .optional(),
  /** starts so */
  path: z.string().max(2048).optional(),
  /** stands in path, host, message, user agent, client address, rule or request ID, in any case */
  text: z.string().trim().min(2).max(200).optional(),
});
export type EventFilter = z.infer<typeof EventFilter>;

export const EventSearchQuery = EventFilter.extend({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** `next` of the page before */
  cursor: z.string().max(64).optional(),
});
export type EventSearchQuery = z.infer<typeof EventSearchQuery>;

/** A page, newest first. */
export const EventPage = z.object({
  entries: z.array(AuditEntry),
  /** null on the last page */
  next: z.string().nullable(),
  /** set where a search by text stopped at its time limit; `next` goes on from there */
  partial: z.boolean().default(false),
  /** of a partial page: all that is newer was looked at, ISO 8601 */
  searchedTo: z.string().optional(),
});
export type EventPage = z.infer<typeof EventPage>;

export const exportFormats = ['ndjson', 'json', 'csv'] as const;

export const EventExportQuery = EventFilter.extend({ format: z.enum(exportFormats).default('ndjson') });
export type EventExportQuery = z.infer<typeof EventExportQuery>;

export const Facet = z.object({
  value: z.string(),
  count: z.number().int(),
  /** what people call it, where the value is an id and its name is known */
  name: z.string().optional(),
});
export type Facet = z.infer<typeof Facet>;

/** The most frequent values among the newest events that fit. */
export const EventFacets = z.object({
  /** how many events were looked at; the counts are of these */
  sampled: z.number().int(),
  rules: z.array(Facet),
  categories: z.array(Facet),
  addresses: z.array(Facet),
  paths: z.array(Facet),
  sites: z.array(Facet),
  /** by ISO 3166-1 alpha-2 code; absent where the operator gave no country database */
  countries: z.array(Facet).optional(),
  actions: z.array(Facet),
});
export type EventFacets = z.infer<typeof EventFacets>;

/** An administrator's action with what the hash chain holds of it. */
export const AdminAuditEntry = z.object({
  id: z.string(),
  timestamp: z.string(),
  level: z.string(),
  action: z.string(),
  message: z.string(),
  actor: z.string(),
  ip: z.string(),
  target: z.string().optional(),
  siteId: z.string().optional(),
  details: z.json(),
});
export type AdminAuditEntry = z.infer<typeof AdminAuditEntry>;

export const AdminAuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** only entries before this one: the last of the page before */
  before: z.string().max(64).optional(),
});

/** How far the chain of administrators' actions was looked at, and whether it is whole as far as that. */
export const AuditChain = z.object({
  /** id of the first entry that does not fit the chain; null where the chain is whole */
  brokenAt: z.string().nullable(),
  /** entries that fit, from the first one on */
  checked: z.number().int(),
  /** when every entry was last looked at, not only those since; null: never */
  checkedWholeAt: z.string().nullable(),
});
export type AuditChain = z.infer<typeof AuditChain>;

export const AdminAuditPage = z.object({
  entries: z.array(AdminAuditEntry),
  /** as in `chain`; null on pages after the first one */
  brokenAt: z.string().nullable(),
  /** of the first page alone */
  chain: AuditChain.optional(),
});
