import { AddressList, parseAddress } from '@portcullis/contract/access';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../steps.ts';
import { compileAccessLists } from './index.ts';

const now = 1_790_000_000_000;
const compile = (...given: Parameters<typeof compileAccessLists>) => atOnce(compileAccessLists(...given));
const list = (id: string, fields: object) => AddressList.parse({ id, name: id, action: 'block', ...fields });

const lists = compile([
  list('office', { action: 'allow', entries: ['192.0.2.0/28'] }),
  list('feed', { entries: ['192.0.2.0/24', '2001:db8::/32'] }),
  list('shop-partners', { action: 'allow', siteId: 'shop', entries: ['192.0.2.128/25'] }),
  list('shop-banned', { siteId: 'shop', entries: ['198.51.100.7'] }),
  list('retired', { enabled: false, entries: ['203.0.113.0/24'] }),
]);

describe('address lists', () => {
  it.each([
    ['shop', '192.0.2.1', 'allow', 'office'],
    ['shop', '192.0.2.100', 'block', 'feed'],
    ['shop', '192.0.2.200', 'allow', 'shop-partners'],
    ['blog', '192.0.2.200', 'block', 'feed'],
    ['shop', '198.51.100.7', 'block', 'shop-banned'],
    ['blog', '198.51.100.7', undefined, undefined],
    ['shop', '2001:db8::5', 'block', 'feed'],
    ['shop', '203.0.113.9', undefined, undefined],
    ['shop', '8.8.8.8', undefined, undefined],
  ])('on %s decide of %s: %s by %s', (siteId, address, action, listId) => {
    const verdict = lists.decide(siteId, parseAddress(address)!, now);
    expect(verdict?.action).toBe(action);
    expect(verdict?.listId).toBe(listId);
  });

  it('tell whom they allow whatever blocks it', () => {
    expect(lists.allows('shop', parseAddress('192.0.2.200')!, now)).toBe(true);
    expect(lists.allows(undefined, parseAddress('192.0.2.200')!, now)).toBe(false);
  });

  it('are built anew only where something changed', () => {
    const source = () => [list('feed', { entries: ['192.0.2.0/24'] })];
    const first = compile(source());
    expect(compile(source(), first)).toBe(first);
    expect(compile([list('feed', { entries: ['192.0.2.0/25'] })], first)).not.toBe(first);
    expect(compile([list('feed', { ...source()[0], action: 'allow' })], first)).not.toBe(first);
  });

  it('cost nothing where there are none', () => {
    expect(compile([]).decide('shop', parseAddress('192.0.2.1')!, now)).toBeUndefined();
  });

  it('end entry by entry at the time, and what stays or counts everywhere counts again', () => {
    const hour = new Date(now + 3_600_000).toISOString();
    const timed = compile([
      list('an-hour', { temporary: [{ entry: '192.0.2.7', expires_at: hour }] }),
      list('guests', {
        action: 'allow',
        siteId: 'shop',
        temporary: [{ entry: '203.0.113.0/24', expires_at: hour }],
      }),
      list('feed', { entries: ['203.0.113.9'] }),
    ]);
    const decide = (siteId: string, address: string, at: number) =>
      timed.decide(siteId, parseAddress(address)!, at)?.listId;
    const [before, end] = [now + 3_599_999, now + 3_600_000];
    expect([decide('shop', '192.0.2.7', before), decide('shop', '192.0.2.7', end)]).toEqual([
      'an-hour',
      undefined,
    ]);
    expect([decide('shop', '203.0.113.9', before), decide('shop', '203.0.113.9', end)]).toEqual([
      'guests',
      'feed',
    ]);
    expect(decide('blog', '203.0.113.9', before)).toBe('feed');
    expect(timed.allows('shop', parseAddress('203.0.113.1')!, before)).toBe(true);
    expect(timed.allows('shop', parseAddress('203.0.113.1')!, end)).toBe(false);
  });
});
