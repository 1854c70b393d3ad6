import { expect, test } from 'vitest';
import { run, verdictOn } from '../faults.ts';
import { scenarios } from './scenarios.ts';

const tried = scenarios.map(({ name }) => ({ name }));

test('a fault that there is not is refused, not left out', async () => {
  await expect(run(['--quick', '--only=redis-cut,typo'])).rejects.toThrow("no fault is called 'typo'");
});

test('the headline says no more than was tried', () => {
  expect(verdictOn(tried, [])).toBe('nothing lost, nothing twice, nobody wronged');
  expect(verdictOn(tried.slice(1), [])).toBe(
    'nothing lost, nothing twice, nobody wronged, without redis-restart',
  );
  const [first, ...others] = tried;
  const leftOut = [{ name: first?.name ?? '', leftOut: 'no faketime here' }, ...others];
  expect(verdictOn(leftOut, [])).toMatch(/without redis-restart$/);
  expect(verdictOn(leftOut, ['LOST'])).toBe('FAILED, without redis-restart');
  expect(verdictOn([], [])).toBe('nothing was tried');
});
