import { expect, it } from 'vitest';
import { describeChanges } from './index.ts';

const change = { kind: 'site', id: 'site_1', fields: [] };

it('tells what comes, goes and differs, field by field', () => {
  const before = {
    name: 'Shop',
    version: 1,
    ssl: { enabled: false, autoCert: false },
    domains: ['a.example'],
  };
  const after = { ...before, version: 2, ssl: { enabled: true, autoCert: false }, domains: ['b.example'] };
  const lines = describeChanges([
    { ...change, name: 'Shop', change: 'updated', before, after },
    { ...change, kind: 'address_list', name: 'Bad', change: 'deleted', before: {}, after: null },
    { ...change, kind: 'rule', name: 'New', change: 'created', before: null, after: {} },
  ]);
  expect(lines).toEqual([
    '~ site "Shop"',
    '    ssl.enabled: false → true',
    '    domains: ["a.example"] → ["b.example"]',
    '- address list "Bad"',
    '+ rule "New"',
  ]);
});

it('shows a terminal no control character, however it came into a name, and cuts what is long', () => {
  const hostile = 'a\u001b[2J\u202e\u009b';
  const after = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 'x'.repeat(500)]));
  const lines = describeChanges([
    { ...change, name: hostile, change: 'created', before: null, after: {} },
    { ...change, name: 'Long', change: 'updated', before: { [hostile]: 1 }, after },
  ]);
  expect(lines.join('\n')).not.toMatch(/[\u001b\u009b\u202e]/);
  expect(lines.at(-1)).toBe('    … and 11 fields more');
  for (const line of lines) expect(line.length).toBeLessThan(200);
});
