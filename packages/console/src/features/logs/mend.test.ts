import type { AuditEntry } from '@portcullis/contract/events';
import { eventKinds } from '@portcullis/contract/events';
import { describe, expect, it } from 'vitest';
import { mendOf } from './mend.ts';

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  id: 'evt_1',
  timestamp: '2026-01-01T00:00:00.000Z',
  level: 'warning',
  action: 'blocked',
  message: 'Blocked',
  siteId: 'site_1',
  ...fields,
});
const place = (fields: Partial<AuditEntry>) => {
  const { to, search } = mendOf(entry(fields)) ?? {};
  return [to, search];
};

describe('where an event is mended', () => {
  it.each([
    [{ kind: 'rate_limit', ruleId: 'site' }, '/sites', { site: 'site_1', section: 'rateLimit' }],
    [{ kind: 'rate_limit', ruleId: 'login' }, '/sites', { site: 'site_1', section: 'rateLimit' }],
    [{ kind: 'rate_limit', ruleId: 'concurrent' }, '/settings', { tab: 'security' }],
    [{ kind: 'rate_limit', ruleId: 'installation' }, '/settings', { tab: 'security' }],
    [{ kind: 'address_list', ruleId: 'list_1' }, '/address-lists', { list: 'list_1' }],
    [{ kind: 'address_list', ruleId: 'ban' }, '/address-lists', {}],
    [{ kind: 'custom_rule', ruleId: 'rule_1' }, '/protection', { site: 'site_1', rule: 'rule_1' }],
    [{ kind: 'challenge' }, '/sites', { site: 'site_1', section: 'botProtection' }],
    [{ kind: 'protocol' }, '/settings', { tab: 'security' }],
  ] as const)('%o leads to %s', (fields, to, search) => expect(place(fields)).toEqual([to, search]));

  it('leads nowhere for what its own buttons mend, and without a site to none of its form', () => {
    expect(mendOf(entry({ kind: 'detection', ruleId: 'sqli-union' }))).toBeUndefined();
    expect(mendOf({ ...entry({ kind: 'challenge' }), siteId: undefined })).toBeUndefined();
    expect(mendOf(entry({}))).toBeUndefined();
  });

  it('has words for every place', () => {
    const labels = eventKinds.flatMap((kind) => mendOf(entry({ kind, ruleId: 'x' }))?.label ?? []);
    expect(labels.length).toBeGreaterThan(6);
    expect(new Set(labels).size).toBe(labels.length);
  });
});
