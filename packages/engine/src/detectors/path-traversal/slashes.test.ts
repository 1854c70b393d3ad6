import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { endsWithin } from '../../testing/growth.ts';
import { choices, request } from '../../testing/requests.ts';

const compiled = compilePolicy({ securityLevel: 'medium', categories: choices('high', ['path_traversal']) });

const decided = (value: string) =>
  inspect(compiled, request({ target: `/?q=${encodeURIComponent(value)}` })).decision;

test.each([
  [`..${'/'.repeat(200)}proc_ etc passwd`, 'pass'],
  [`..${'/'.repeat(100)}config.md`, 'pass'],
  [`..${'/'.repeat(200)}etc/passwd`, 'block'],
  [`..${'/\\'.repeat(90)}a..${'/'.repeat(90)}etc/passwd`, 'block'],
  [`${'....//'.repeat(400)}proc_ etc passwd`, 'block'],
  [`..${'/'.repeat(40)}..${'/'.repeat(40)}${`a.b${'/'.repeat(60)}`.repeat(20)}a.phpx`, 'pass'],
])('a long run of slashes has one reading: %#', (value, expected) => {
  expect(endsWithin(3000, () => void decided(value))).toBe(true);
  expect(decided(value)).toBe(expected);
});
