import { describe, expect, it } from 'vitest';
import { Line, Recent } from './index.ts';

describe('a line', () => {
  it('keeps the order of joining, whoever leaves', () => {
    const line = new Line<string>();
    const places = ['a', 'b', 'c', 'd'].map((value) => line.join(value));
    for (const index of [1, 0, 3]) {
      const place = places[index];
      if (place) line.leave(place);
    }
    line.join('e');
    expect([...line]).toEqual(['c', 'e']);
    expect(line.size).toBe(2);
  });

  it('lets who is looked at leave', () => {
    const line = new Line<string>();
    const places = new Map(['a', 'b', 'c'].map((value) => [value, line.join(value)]));
    const seen: string[] = [];
    for (const value of line) {
      seen.push(value);
      const place = places.get(value);
      if (place) line.leave(place);
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    expect([line.size, line.first]).toEqual([0, undefined]);
  });

  it('is forgotten by who has left', () => {
    const line = new Line<string>();
    const [, second] = ['a', 'b', 'c'].map((value) => line.join(value));
    if (second) line.leave(second);
    expect(second).toEqual({ value: 'b', before: undefined, after: undefined });
  });
});

describe('a memory of what is recent', () => {
  it('forgets what was not asked for the longest', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    expect(recent.get('a')).toBe(1);
    recent.set('c', 3);
    expect([recent.peek('a'), recent.peek('b'), recent.peek('c'), recent.size]).toEqual([1, undefined, 3, 2]);
  });
});
