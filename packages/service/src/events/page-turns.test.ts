import { expect, it } from 'vitest';
import { PageTurns } from './page-turns.ts';

it('lets so many be under way, the others in their order, and goes on after one that fails', async () => {
  const turns = new PageTurns(2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const taken = works.map(({ promise }, index) =>
    turns.take(() => {
      begun.push(index);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  works[1]?.reject(new Error('No'));
  await expect(taken[1]).rejects.toThrow('No');
  expect(begun).toEqual([0, 1, 2]);
  for (const [index, { resolve }] of works.entries()) resolve(index);
  expect(await Promise.all(taken.filter((_, index) => index !== 1))).toEqual([0, 2, 3, 4]);
  expect(await turns.take(async () => 'free again')).toBe('free again');
});
