import { expect, it } from 'vitest';
import { nextUntil } from './use-history.ts';

it('asks for the last millisecond of a page once more, and goes on where it fills a page', () => {
  expect(nextUntil(1000, undefined)).toBe(1001);
  expect(nextUntil(900, 1001)).toBe(901);
  expect(nextUntil(1000, 1001)).toBe(1000);
});
