import { addressListActions } from '@portcullis/contract/access';
import { type ConfigurationDocument, documentVersion } from '@portcullis/contract/configuration';
import { ruleTypes } from '@portcullis/contract/protection';
import { systemTimezones } from '@portcullis/contract/settings';
import {
  categories,
  conditionFields,
  conditionOperators,
  modes,
  securityLevels,
  sensitivities,
  severities,
} from '@portcullis/contract/vocabulary';
import fc from 'fast-check';

type Site = NonNullable<ConfigurationDocument['sites']>[number];

/** Text that a YAML reader may take for something else. */
const treacherous = fc.constantFrom(
  'no',
  '1e3',
  '0x1F',
  '~',
  'null',
  '2026-01-01',
  '- a',
  'a: b # c',
  '*alias',
  '&anchor',
  '!tag',
  '"quoted"',
  "it's",
  '{a: 1}',
  '%directive',
  'tab\there',
  'two\nlines\n',
  '---',
  '🦊 ñ 中文 \u202e',
  '__proto__',
);
const text = fc.oneof(
  treacherous,
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\u0000', '')),
);
const name = text.map((one) => one.trim() || 'x');
const domainLabel = fc.stringMatching(/^[a-z][a-z0-9]{1,6}$/);

const condition = { operator: fc.constantFrom(...conditionOperators), value: text };
const headerName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/);

const rule = fc.record({
  name,
  description: text,
  type: fc.constantFrom(...ruleTypes),
  conditions: fc.record({
    operator: fc.constantFrom('AND' as const, 'OR' as const),
    rules: fc.array(
      fc.oneof(
        fc.record({ field: fc.constantFrom(...conditionFields), ...condition }),
        fc.record({ field: fc.constant('query' as const), name, ...condition }),
        fc.record({ field: fc.constant('header' as const), name: headerName, ...condition }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  action: fc.constantFrom('block' as const, 'challenge' as const, 'log' as const, 'allow' as const),
  logs: fc.boolean(),
  severity: fc.constantFrom(...severities),
  enabled: fc.boolean(),
  status: fc.constantFrom('active' as const, 'inactive' as const),
});

const ruleset = fc.record({
  name,
  status: fc.constantFrom('active' as const, 'draft' as const, 'inactive' as const),
  rules: fc.array(rule, { maxLength: 3 }),
});

const protection = fc.dictionary(
  fc.constantFrom(...categories),
  fc.record({
    enabled: fc.boolean(),
    mode: fc.constantFrom(...modes),
    sensitivity: fc.constantFrom(...sensitivities),
  }),
  { maxKeys: 4 },
);

const site = fc.record({
  name,
  description: text,
  enabled: fc.boolean(),
  security_level: fc.constantFrom(...securityLevels),
  protection_config: protection,
  rate_limit: fc.record({ enabled: fc.boolean(), capacity: fc.integer({ min: 1, max: 1_000_000 }) }),
  pages: fc.record({ block: fc.record({ title: name.filter((one) => one.length <= 120), message: name }) }),
  exceptions: fc.array(
    fc.record({ category: fc.constantFrom('xss' as const, 'sql_injection' as const), note: text }),
    { maxLength: 2 },
  ),
  rulesets: fc.array(ruleset, { maxLength: 2 }),
});

const list = fc.record({
  name,
  description: text,
  action: fc.constantFrom(...addressListActions),
  enabled: fc.boolean(),
  entries: fc.uniqueArray(fc.ipV4(), { maxLength: 4 }),
  temporary: fc.uniqueArray(
    fc.record({ entry: fc.ipV4(), expires_at: fc.constant('2126-01-01T00:00:00.000Z') }),
    { maxLength: 2, selector: ({ entry }) => entry },
  ),
});

const settings = fc.record({
  general: fc.record({
    systemName: name.filter((one) => one.length <= 120),
    timezone: fc.constantFrom(...systemTimezones),
    logRetentionDays: fc.integer({ min: 1, max: 365 }),
    logRetentionGigabytes: fc.integer({ min: 1, max: 10_000 }),
  }),
  security: fc.record({
    maxLoginAttempts: fc.integer({ min: 3, max: 20 }),
    trustedProxies: fc.uniqueArray(fc.ipV4(), { maxLength: 2 }),
  }),
  notifications: fc.record({
    slack: fc.record({ channel: text, username: text }),
    quietHours: fc.record({ enabled: fc.boolean(), startHour: fc.integer({ min: 0, max: 23 }) }),
  }),
});

/** A file with anything in it that a schema takes, as a person may have written it: fields left out, no ids. */
export const anyDocument: fc.Arbitrary<object> = fc
  .record({
    sites: fc.array(site, { maxLength: 3 }),
    labels: fc.uniqueArray(domainLabel, { minLength: 3, maxLength: 3 }),
    lists: fc.array(fc.tuple(list, fc.boolean()), { maxLength: 3 }),
    settings,
  })
  .map(({ sites, labels, lists, settings: wanted }) => ({
    portcullis: documentVersion,
    settings: wanted,
    sites: sites.map((one, index) => ({
      ...one,
      domains: [`${labels[index]}.example.com`, `*.${labels[index]}.example.com`],
      backend_url: 'http://192.0.2.1:3000',
      rulesets: one.rulesets.map((set, position) => ({ ...set, own: position === 0 })) as Site['rulesets'],
    })),
    address_lists: lists.map(([one, bound]) => ({
      ...one,
      ...(bound && sites.length > 0 && { site: `${labels[0]}.example.com` }),
    })),
  }));
