import { expect, test } from 'vitest';
import { run, verdictOn } from '../faults.ts';
import { scenarios } from './scenarios.ts';
import { judge } from './sentences.ts';

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

test('what the console says of a fault is held against whole sentences', () => {
  const { tells = [], mayTell = [] } = scenarios.find(({ name }) => name === 'disk') ?? {};
  const full =
    'Events that wait for the service cannot be kept on disk (ENOSPC: no space left on device, write)';
  const said = [`edge-3.gateway-1: ${full}`, 'edge-3.gateway-1 absent: Not heard of for … s'];
  expect(judge(said, tells, mayTell)).toEqual({ unsaid: [], untrue: [] });
  expect(judge([...said, 'edge-3.gateway-1 absent: Not heard of for … min'], tells, mayTell).untrue).toEqual(
    [],
  );
  const lies = ['edge-2.gateway-1 absent: Not heard of for … s', `edge-3.gateway-1: ${full} and more`];
  expect(judge(lies, tells, mayTell)).toEqual({ unsaid: tells.map(String), untrue: lies });
});
