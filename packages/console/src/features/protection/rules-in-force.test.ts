import type { Ruleset } from '@portcullis/contract/protection';
import { expect, it } from 'vitest';
import { rulesInForce } from './rules-in-force.ts';

const sites = [
  { id: 'shop', enabled: true },
  { id: 'blog', enabled: false },
];
const rule = (id: string, enabled = true) => ({ id, name: id, description: '', enabled });
const set = (over: Partial<Ruleset>): Ruleset => ({
  ...{ id: 'set', siteId: 'shop', version: 1, status: 'active', rules: [rule('a'), rule('b', false)] },
  ...over,
});

it('counts the enabled rules of active sets', () => {
  expect(rulesInForce([set({}), set({ status: 'inactive' }), set({ status: 'draft' })], sites)).toBe(1);
});

it('leaves out the rules of a site that is off', () => {
  expect(rulesInForce([set({}), set({ siteId: 'blog' })], sites)).toBe(1);
});

it('counts the rules of a site that is not known', () => {
  expect(rulesInForce([set({ siteId: 'elsewhere' })], sites)).toBe(1);
});
