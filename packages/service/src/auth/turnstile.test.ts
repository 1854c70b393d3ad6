import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

describe('the turnstile', () => {
  it('lets one through at a time under a name, in their order, and refuses who comes when too many wait', async () => {
    const turnstile = new Turnstile(2);
    const steps: string[] = [];
    const doors = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const passing = doors.map(({ promise }, index) =>
      turnstile.pass('one', async () => {
        steps.push(`begins ${index}`);
        await promise;
        steps.push(`ends ${index}`);
        return index;
      }),
    );
    expect(await turnstile.pass('one', async () => 3)).toBeUndefined();
    expect(await turnstile.pass('another', async () => 4)).toBe(4);
    for (const { resolve } of doors.toReversed()) resolve();
    expect(await Promise.all(passing)).toEqual([0, 1, 2]);
    expect(steps).toEqual(['begins 0', 'ends 0', 'begins 1', 'ends 1', 'begins 2', 'ends 2']);
  });

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
