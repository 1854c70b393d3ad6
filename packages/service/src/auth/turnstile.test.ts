import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

describe('the turnstile', () => {
  it('bounds who waits under all names together, and takes others once some are through', async () => {
    const turnstile = new Turnstile(20, 3);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = ['a', 'b', 'c'].map((name) => turnstile.pass(name, () => promise));
    expect(await turnstile.pass('d', async () => 'through')).toBeUndefined();
    resolve('done');
    expect(await Promise.all(first)).toEqual(['done', 'done', 'done']);
    expect(await turnstile.pass('d', async () => 'through')).toBe('through');
  });
});
