import { z } from 'zod';

export * from './document.ts';
export * from './field-words.ts';

/** One thing that a version made, altered or removed. */
export const ConfigurationChange = z.object({
  /** `site`, `ruleset`, `rule`, `address_list`, `settings` (`general`, `security`, `notifications`) */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
  /** names of the fields that differ, empty where the whole came or went */
  fields: z.array(z.string()),
});
export type ConfigurationChange = z.infer<typeof ConfigurationChange>;

/** A saved change of the configuration: who, when, what. */
export const ConfigurationVersion = z.object({
  version: z.number().int(),
  created_at: z.string(),
  /** email of who saved it */
  author: z.string(),
  /** one sentence for a person */
  reason: z.string(),
  changes: z.array(ConfigurationChange),
  /** gateways that refused it and serve on by what they had, and why; absent where none did */
  refused: z.array(z.object({ gateway: z.string(), reason: z.string() })).optional(),
});
export type ConfigurationVersion = z.infer<typeof ConfigurationVersion>;

/** Entries of a long list that a change is shown with at most. */
export const shownEntries = 1000;

/** Lengths of a long list before and after a change, and how many of its entries went and came. */
export const LongListChange = z.object({
  before: z.number().int(),
  after: z.number().int(),
  removed: z.number().int(),
  added: z.number().int(),
});
export type LongListChange = z.infer<typeof LongListChange>;

/** A change with the thing as it stood before and stands after; null where it did not exist. */
export const ConfigurationDifference = ConfigurationChange.extend({
  before: z.json(),
  after: z.json(),
  /**
   * lists of hundreds of entries, by field: there `before` holds the first thousand of those that went alone, and
   * `after` of those that came
   */
  long: z.record(z.string(), LongListChange).optional(),
});
export type ConfigurationDifference = z.infer<typeof ConfigurationDifference>;

export const ConfigurationVersionDetail = ConfigurationVersion.extend({
  changes: z.array(ConfigurationDifference),
});
export type ConfigurationVersionDetail = z.infer<typeof ConfigurationVersionDetail>;

/** What an import changed, or would change. */
export const ConfigurationImportResult = z.object({
  applied: z.boolean(),
  /** the version in force after it; of a dry run the one that was compared with, for `base` */
  version: z.number().int(),
  changes: z.array(ConfigurationDifference),
  /** what the file could not bring along, a sentence each */
  notes: z.array(z.string()),
});
export type ConfigurationImportResult = z.infer<typeof ConfigurationImportResult>;

/** Number of a saved change, as an address names it; stored in 31 bits. */
export const VersionNumber = z.coerce.number().int().min(1).max(2_147_483_647);

export const ConfigurationHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** only versions below this one: the last of the page before */
  before: VersionNumber.optional(),
});
