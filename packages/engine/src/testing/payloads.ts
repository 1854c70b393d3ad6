import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import type { InspectedCategory } from '../vocabulary.ts';
import { choices, post, query } from './requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

/** Each payload, as a query parameter at medium sensitivity, is blocked, and a rule of the category says so. */
export function blocks(category: InspectedCategory, payloads: readonly string[]): void {
  test.each(payloads)('blocks %s', (payload) => {
    const verdict = inspect(policy, query(asBytes(payload)));
    expect(verdict.decision).toBe('block');
    expect(verdict.matches.map((match) => match.category)).toContain(category);
  });
}

/** Each text, as a query parameter at medium sensitivity with every category on, passes. */
export function passes(texts: readonly string[]): void {
  test.each(texts)('passes %s', (text) => {
    const verdict = inspect(policy, query(asBytes(text)));
    expect(verdict.matches.filter((match) => match.score >= 5)).toEqual([]);
    expect(verdict.decision).toBe('pass');
  });
}

/** Each text, as the field `comment` of a form at medium sensitivity with every category on, passes. */
export function passesWritten(texts: readonly string[]): void {
  test.each(texts)('passes in a comment: %s', (text) => {
    const verdict = inspect(
      policy,
      post('application/x-www-form-urlencoded', `comment=${encodeURIComponent(text)}`),
    );
    expect(verdict.matches.filter((match) => match.score >= 5)).toEqual([]);
    expect(verdict.decision).toBe('pass');
  });
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
