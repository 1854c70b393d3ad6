import { expect, it } from 'vitest';
import { newSiteValues, siteProblems, siteToSend, storedSiteValues, valuesLike } from './site-values.ts';

const valid = () => ({
  ...newSiteValues(),
  name: 'Shop',
  domains: ['shop.example.com'],
  backend_url: 'http://127.0.0.1:1',
});

it('starts a new site with every default and its required fields empty', () => {
  expect(newSiteValues()).toMatchObject({
    enabled: true,
    security_level: 'medium',
    response_mode: 'html',
    rate_limit: { enabled: true, window: 60, capacity: 100, refill_interval: 1 },
    protection_config: { xss: { enabled: true, mode: 'block' }, csrf: { enabled: false } },
  });
  expect(Object.keys(siteProblems(newSiteValues())).sort()).toEqual(['backend_url', 'domains.0', 'name']);
  expect(siteProblems(valid())).toEqual({});
});

it('drops blank extra domains, and refuses a wrong one where it stands', () => {
  const values = { ...valid(), domains: ['shop.example.com', ' ', 'not a host'] };
  expect(Object.keys(siteProblems(values))).toEqual(['domains.2']);
  expect(siteToSend(values).domains).toEqual(['shop.example.com', 'not a host']);
});

it('starts a site like another with its settings, and no identity or domain of it', () => {
  const stored = { ...valid(), id: 'site_1', version: 7, watch_only: true, allowed_methods: ['PROPFIND'] };
  const like = valuesLike(stored);
  expect(like).toMatchObject({
    name: 'Shop copy',
    domains: [''],
    backend_url: 'http://127.0.0.1:1',
    watch_only: true,
    allowed_methods: ['PROPFIND'],
  });
  expect(Object.keys(like)).not.toEqual(expect.arrayContaining(['id']));
  expect(Object.keys(like)).not.toEqual(expect.arrayContaining(['version']));
});

it('sends back what it does not show', () => {
  const stored = { ...valid(), id: 'site_1', version: 7, unknown: { of: 'another server' } };
  expect(siteToSend(storedSiteValues(stored))).toMatchObject({
    id: 'site_1',
    version: 7,
    unknown: { of: 'another server' },
  });
});
