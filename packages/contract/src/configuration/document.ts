import { z } from 'zod';
import { AddressListCreate, entriesOfText } from '../access/index.ts';
import { certificateSources } from '../certificates/index.ts';
import { NotificationSettings } from '../notifications/index.ts';
import { CustomRuleCreate, rulesetStatuses } from '../protection/index.ts';
import { GeneralSettings, SecuritySettings } from '../settings/index.ts';
import { SiteCreate } from '../sites/index.ts';

/** Rises when a file of the last version could not be read as one of this. */
export const documentVersion = 1;

const idOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[\\w-]{1,58}$`), `Use an id that begins with ${prefix}_, or leave it out`)
    .optional();

/** A rule of a ruleset; where it belongs is said by where it stands. */
const DocumentRule = CustomRuleCreate.omit({ siteId: true }).extend({
  id: idOf('rule'),
  /** the template that it was copied from */
  templateId: z.string().max(64).optional(),
});

const DocumentRuleset = z.object({
  id: idOf('rs'),
  name: z.string().trim().min(1, 'Name is required').max(200),
  status: z.enum(rulesetStatuses).default('active'),
  /** whether rules that are made by hand go here; there is one such set a site */
  own: z.boolean().default(false),
  rules: z.array(DocumentRule).max(500).default([]),
});

/** A certificate by reference: what it was, never its key. */
const CertificateReference = z.object({
  source: z.enum(certificateSources),
  domains: z.array(z.string().max(253)),
  /** SHA-256 of the leaf, colon-separated hex */
  fingerprint: z.string().max(128),
  notAfter: z.string().max(64).optional(),
});

const DocumentSite = SiteCreate.extend({
  id: idOf('site'),
  rulesets: z.array(DocumentRuleset).max(500).default([]),
  certificate: CertificateReference.optional(),
});

/** Entries one by one or, since a million of those take a reader of YAML minutes, as one text with a line for each. */
const DocumentEntries = z
  .union([z.array(z.string().max(64)), z.string().transform(entriesOfText)])
  .default([])
  .pipe(AddressListCreate.shape.entries.unwrap());

const DocumentList = AddressListCreate.omit({ siteId: true }).extend({
  entries: DocumentEntries,
  id: idOf('list'),
  /** id or first domain of the site that it is for; absent counts on every site */
  site: z.string().max(253).optional(),
});

const { email, slack, webhook } = NotificationSettings.shape;

/** Notification settings without what is secret. */
const DocumentNotifications = NotificationSettings.extend({
  email: email.unwrap().omit({ key: true, keySet: true }).prefault({}),
  slack: slack.unwrap().omit({ webhookUrl: true, webhookUrlSet: true }).prefault({}),
  webhook: webhook
    .unwrap()
    .omit({ webhookUrl: true, webhookUrlSet: true, signingKey: true, signingKeySet: true })
    .prefault({}),
});

/** Secrets that a file holds sealed with a passphrase. Empty: there was none. */
export const DocumentSecrets = z.object({
  /** the mail provider's key, or the password at the mail server */
  emailKey: z.string().max(1024),
  slackWebhookUrl: z.string().max(2048),
  /** absent in files of older releases, which leave what is stored */
  webhookUrl: z.string().max(2048).optional(),
  webhookSigningKey: z.string().max(256).optional(),
});
export type DocumentSecrets = z.infer<typeof DocumentSecrets>;

/**
 * The whole configuration as one file. A section that is there is whole: what it does not name is removed, and
 * fields that it leaves out get their defaults. A section that is not there is left alone.
 */
export const ConfigurationDocument = z.object({
  portcullis: z.literal(documentVersion, `Begin the file with "portcullis: ${documentVersion}"`),
  sites: z.array(DocumentSite).max(10_000).optional(),
  address_lists: z.array(DocumentList).max(10_000).optional(),
  settings: z
    .object({
      general: GeneralSettings.optional(),
      security: SecuritySettings.optional(),
      notifications: DocumentNotifications.optional(),
    })
    .optional(),
  /** {@link DocumentSecrets}, sealed with a passphrase */
  secrets: z.string().max(16_384).optional(),
});
export type ConfigurationDocument = z.infer<typeof ConfigurationDocument>;

const Passphrase = z.string().min(12, 'Use 12 characters or more').max(256);

/** Asks for the file with its secrets, sealed. */
export const ConfigurationExport = z.object({ passphrase: Passphrase });

export const ConfigurationImport = z.object({
  /** the file's text, YAML */
  document: z.string().min(1, 'The file is empty'),
  /** false: only tells what would change */
  apply: z.boolean().default(false),
  /** opens the file's secrets; without it those stored here stay */
  passphrase: z.string().min(1).max(256).optional(),
  /** the version that was compared with: if another one is in force by now, nothing is changed */
  base: z.number().int().min(1).optional(),
  /** one sentence for the history */
  reason: z.string().trim().max(200).optional(),
});
export type ConfigurationImport = z.input<typeof ConfigurationImport>;

/** Bytes that a file may have, unpacked where it came packed. */
export const maxDocumentBytes = 64 * 1024 * 1024;

function decoded(text: string, context: z.RefinementCtx): string {
  try {
    return decodeURIComponent(text);
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'Encode the passphrase as a part of an address: %20 for a space',
    });
    return z.NEVER;
  }
}

/** The passphrase of a file that is sent as it is: percent-encoded, for a header line holds no other letters. */
export const ConfigurationImportHeaders = z.object({
  'portcullis-passphrase': z
    .string()
    .max(3072)
    .transform(decoded)
    .pipe(z.string().min(1).max(256))
    .optional(),
});

export const ConfigurationImportQuery = z.object({
  /** `true` applies the file; else it is only told what would change */
  apply: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  /** as in {@link ConfigurationImport} */
  base: z.coerce.number().int().min(1).optional(),
  reason: ConfigurationImport.shape.reason,
});
