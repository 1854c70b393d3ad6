import { Certificate } from '@portcullis/contract/certificates';
import { expect, it } from 'vitest';
import { lender } from './certificates.ts';

const now = Date.parse('2026-11-23T00:00:00Z');
const certificate = (siteId: string, domains: string[], notAfter = '2027-01-01T00:00:00Z') =>
  Certificate.parse({ id: siteId, siteId, source: 'uploaded', state: 'valid', domains, notAfter });
const wildcard = certificate('all', ['example.com', '*.example.com']);

it.each([
  [['shop.example.com'], 'all'],
  [['shop.example.com', 'Example.com', ''], 'all'],
  [['*.example.com'], 'all'],
  [['a.shop.example.com'], undefined],
  [['shop.example.com', 'shop.example.org'], undefined],
  [['badexample.com'], undefined],
  [['*'], undefined],
  [[''], undefined],
])('finds who lends a certificate for %j: %s', (domains, found) => {
  expect(lender([certificate('other', ['other.test']), wildcard], domains, now)?.siteId).toBe(found);
});

it('takes none that has ended, or that was never issued', () => {
  const ended = certificate('ended', ['shop.test'], '2026-11-22T00:00:00Z');
  const pending = { ...ended, notAfter: undefined };
  expect(lender([ended, pending], ['shop.test'], now)).toBeUndefined();
});
