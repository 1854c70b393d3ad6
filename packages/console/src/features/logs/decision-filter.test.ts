import { expect, it } from 'vitest';
import { decisionIn, decisionOptions, withDecision } from './decision-filter.ts';

const labelOf = (search: Parameters<typeof decisionIn>[0]) =>
  decisionOptions(search)
    .flatMap((one) => ('items' in one ? one.items : [one]))
    .find(({ value }) => value === decisionIn(search))?.label;

it('asks for one decision at a time, carried out or not, and keeps the other filters', () => {
  const blocked = withDecision({ view: 'history', ip: '192.0.2.1' }, 'action blocked');
  expect(blocked).toEqual({ view: 'history', ip: '192.0.2.1', action: 'blocked' });
  const would = withDecision(blocked, 'would block');
  expect(would).toEqual({ view: 'history', ip: '192.0.2.1', would: 'block' });
  expect(withDecision(would, 'all')).toEqual({ view: 'history', ip: '192.0.2.1' });
});

it('has a word for every choice, also for several that a link brings', () => {
  expect(labelOf({})).toBe('All decisions');
  expect(labelOf({ action: 'blocked' })).toBe('Blocked');
  expect(labelOf({ action: 'blocked,challenged' })).toBe('Blocked, Challenged');
  expect(labelOf({ would: 'block,challenge,redirect' })).toBe('Would have acted');
  expect(labelOf({ would: 'block,redirect' })).toBe('Would have blocked, Would have redirected');
});
