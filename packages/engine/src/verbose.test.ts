import { expect, test } from 'vitest';
import { verbose } from './verbose.ts';

test('lines are joined without what stands around them, and a space within one counts', () => {
  const pattern = verbose('i')`
    ^(?:
      union all
      |select\s{1,9}
    )x$
  `;
  expect(pattern).toEqual(/^(?:union all|select\s{1,9})x$/i);
});

test('a line of words says what follows and matches nothing', () => {
  const pattern = verbose()`
    # a number sign without a space is one
    #a
    |b#
  `;
  expect(pattern).toEqual(/#a|b#/);
});

test('backslashes stay as they are written, and a back quote is one', () => {
  expect(verbose()`\d\\\`\/[\`]`).toEqual(/\d\\`\/[`]/);
});

test('a pattern within a pattern stands for its text', () => {
  const word = /\w{1,9}/;
  expect(verbose('g')`(?:${word})=${word}`).toEqual(/(?:\w{1,9})=\w{1,9}/g);
});

test('what is no pattern throws', () => {
  expect(() => verbose()`(a`).toThrow(SyntaxError);
});
