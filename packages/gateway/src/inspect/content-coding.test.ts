import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePrefix } from './content-coding.ts';

test('so many members are decoded in one turn and no more', () => {
  const member = gzipSync('');
  const members = (count: number) => Buffer.alloc(count * member.length, member);
  expect(decodePrefix('gzip', members(32))).toEqual(Buffer.alloc(0));
  expect(decodePrefix('gzip', members(33))).toBe('much');
});
