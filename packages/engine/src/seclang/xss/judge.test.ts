import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCrossSiteScripting } from './index.ts';

describe('cross-site scripting by structure', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="java&#115;cript&colon;x">',
    '" autofocus onfocus=alert(1) x="',
    "x' onmouseover='a",
    'x onclick=a',
    '<svg/onload=x>',
    '<!DOCTYPE html>',
    '<x:a xmlns:x="y">',
    '<!--[if IE]>',
    '<animate attributename=href values=javascript:x>',
    '<scr\0ipt>',
  ])('finds %j', (text) => {
    expect(findCrossSiteScripting(text)).toBeDefined();
  });

  it.each([
    'hello <b>world</b>',
    'a < b and c > d',
    'x = "on time"',
    '<p class="x">',
    '<a href="/x">',
    '<3 you',
    '',
  ])('leaves %j alone', (text) => {
    expect(findCrossSiteScripting(text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[<>="'`/a-z \0!-]{0,40}$/), (text) => {
        findCrossSiteScripting(text);
      }),
    );
  });
});
