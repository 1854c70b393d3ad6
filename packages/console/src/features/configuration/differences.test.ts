import { expect, it } from 'vitest';
import { differences } from './differences.ts';

it('names each value that differs, and nothing else', () => {
  const before = { name: 'Shop', version: 3, updated_at: 'x', cors: { enabled: false, max_age: 60 } };
  const after = { name: 'Shop', version: 4, updated_at: 'y', cors: { enabled: true, max_age: 60 } };
  expect(differences(before, after)).toEqual([{ path: 'cors.enabled', before: 'false', after: 'true' }]);
});

it('shows a list of texts as one value, a line each', () => {
  expect(differences({ domains: ['a', 'b'] }, { domains: ['a', 'c'] })).toEqual([
    { path: 'domains', before: 'a\nb', after: 'a\nc' },
  ]);
});

it('counts the entries of a list of things from one', () => {
  const rule = (value: string) => ({ rules: [{ field: 'path', value }] });
  expect(differences(rule('/a'), rule('/b'))).toEqual([{ path: 'rules.1.value', before: '/a', after: '/b' }]);
});

it('shows all of a thing that came, and all of one that went', () => {
  expect(differences(null, { name: 'Shop', description: '', domains: [] })).toEqual([
    { path: 'name', before: undefined, after: 'Shop' },
  ]);
  expect(differences({ name: 'Shop' }, null)).toEqual([{ path: 'name', before: 'Shop', after: undefined }]);
});

it('keeps a version that is a part of the thing itself', () => {
  expect(differences({ tls: { version: '1.2' } }, { tls: { version: '1.3' } })).toHaveLength(1);
});
