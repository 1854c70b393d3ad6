import { describe, expect, it } from 'vitest';
import { listToSend, listValues, textProblem, typedProblem, withTyped } from './list-values.ts';

const stored = {
  id: 'l1',
  name: 'Office',
  description: 'ours',
  action: 'allow' as const,
  siteId: 's1',
  enabled: false,
  entries: ['192.0.2.7', '2001:db8::/32'],
  temporary: [{ entry: '198.51.100.0/24', expires_at: '2026-11-24T12:00:00.000Z' }],
};

describe('the form of an address list', () => {
  it('sends a list back as it was where nothing changed', () => {
    const { id: _id, ...fields } = stored;
    expect(listToSend(listValues(stored), stored)).toEqual(fields);
  });

  it('leaves the entries of a list that is too long for it as they are', () => {
    const fed = { ...stored, entries: [], entry_count: 300_000 };
    expect(listToSend(listValues(fed), fed)).not.toHaveProperty('entries');
  });

  it('leaves out blank lines and repeats, and the site where it is every one', () => {
    const values = {
      ...listValues(undefined),
      name: ' Feed ',
      text: '192.0.2.7\n\n 192.0.2.7 \n10.0.0.0/8\n',
    };
    expect(listToSend(values, undefined)).toEqual({
      name: 'Feed',
      description: '',
      action: 'block',
      enabled: true,
      entries: ['192.0.2.7', '10.0.0.0/8'],
      temporary: [],
    });
  });

  it('takes a feed as it is written, with its remarks', () => {
    const values = {
      ...listValues(undefined),
      name: 'Feed',
      text: '# scanners\n192.0.2.7 ; seen today\n2001:DB8::/32#x',
    };
    expect(textProblem(values.text)).toBeNull();
    expect(listToSend(values, undefined).entries).toEqual(['192.0.2.7', '2001:db8::/32']);
  });

  it('takes an address for a while that is typed and not added, in place of what it was', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    const saved = (typed: string) =>
      withTyped({ ...listValues(stored), typed, lifetime: 'hour' }, now).temporary;
    expect(saved(' ')).toEqual(stored.temporary);
    const one = { entry: '2001:db8::1', expires_at: '2026-11-23T13:00:00.000Z' };
    expect(saved(' 2001:DB8::1 ')).toEqual([...stored.temporary, one]);
    expect(saved('198.51.100.0/24')).toEqual([{ ...one, entry: '198.51.100.0/24' }]);
    expect([' ', '2001:DB8::1', 'shop'].map(typedProblem)).toEqual([
      null,
      null,
      expect.stringMatching(/"shop"/),
    ]);
  });

  it('names the lines that are no addresses', () => {
    expect(textProblem('192.0.2.7\n\nshop.example.com\nx')).toBe(
      'Line 3, "shop.example.com", is neither an address nor a network; nor is line 4',
    );
    expect(textProblem(Array.from({ length: 14 }, () => 'x').join('\n'))).toMatch(
      /; nor are lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more$/,
    );
    expect(textProblem('192.0.2.7\n2001:DB8::/32\n')).toBeNull();
  });
});
