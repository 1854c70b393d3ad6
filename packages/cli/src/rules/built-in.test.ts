import { GatewaySite } from '@portcullis/contract/link';
import { BuiltInRule } from '@portcullis/contract/protection';
import { inspectedCategories, leakKinds } from '@portcullis/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { listBuiltInRules } from './index.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const site = (fields: object = {}) =>
  GatewaySite.parse({
    ...{ id: 'site_1', name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:1' },
    ...{ version: 1, created_at: '2026-11-23T00:00:00Z', updated_at: '2026-11-23T00:00:00Z' },
    ...fields,
  });
const onSite = (fields: object, id: string) =>
  listBuiltInRules(site(fields), now).find((rule) => rule.id === id)?.site;

describe('the catalogue of built-in rules', () => {
  it('holds rules of every inspected category and of every leak, each id once', () => {
    const all = BuiltInRule.array().parse(listBuiltInRules(undefined, now));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(300);
    for (const category of inspectedCategories)
      expect(all.some((rule) => rule.category === category)).toBe(true);
    for (const leak of leakKinds) expect(all.some((rule) => rule.leak === leak)).toBe(true);
    expect(all.every((rule) => rule.site === undefined && rule.description !== '')).toBe(true);
  });

  it('says where a rule looks, and of one about the form of a request nothing', () => {
    const parts = (id: string) => listBuiltInRules(undefined, now).find((rule) => rule.id === id)?.parts;
    expect(parts('probe-repository')).toEqual(['path']);
    expect(parts('csrf-origin')).toEqual([]);
  });

  it('tells what follows on a site, which is no more than a log where that is only watched', () => {
    expect(onSite({}, 'sql-union')).toEqual({ mode: 'block', exceptions: 0 });
    expect(onSite({ watch_only: true }, 'sql-union')).toEqual({ mode: 'log', exceptions: 0 });
    const answers = { response_inspection: { mode: 'block', kinds: ['sql_error'] } };
    expect(onSite(answers, 'leak-sql-oracle')).toEqual({ mode: 'block', exceptions: 0 });
    expect(onSite({ ...answers, watch_only: true }, 'leak-sql-oracle')).toEqual({
      mode: 'log',
      exceptions: 0,
    });
  });

  it.each([
    ['site', 'sql-union', { enabled: false }],
    ['site', 'leak-sql-oracle', { enabled: false, response_inspection: { mode: 'log' } }],
    ['security_level', 'sql-union', { security_level: 'off' }],
    ['category', 'csrf-origin', {}],
    ['response_inspection', 'leak-sql-oracle', {}],
    [
      'response_inspection',
      'leak-sql-oracle',
      { response_inspection: { mode: 'log', kinds: ['private_key'] } },
    ],
  ])('says that it is the %s that keeps %s idle', (idle, id, fields) => {
    expect(onSite(fields, id)).toEqual({ idle, exceptions: 0 });
  });

  it('knows exceptions as a site stores them', () => {
    const except = (more: object) => ({ exceptions: [{ rule_id: 'sql-union', ...more }] });
    expect(onSite(except({}), 'sql-union')).toEqual({ idle: 'exception', exceptions: 1 });
    expect(onSite(except({ path: '/search' }), 'sql-union')).toEqual({ mode: 'block', exceptions: 1 });
    expect(onSite(except({ expires_at: '2026-11-23T11:00:00Z' }), 'sql-union')?.exceptions).toBe(0);
  });
});
