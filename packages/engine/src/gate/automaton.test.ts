import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beside, besideOneOf, byteSet } from '../pattern/index.ts';
import { buildAutomaton, type GateLiteral, resetHits } from './index.ts';

function found(classes: readonly (readonly GateLiteral[])[], text: string, start = 0, end = text.length) {
  const automaton = buildAutomaton(classes);
  const hits = automaton.createHits();
  resetHits(hits);
  automaton.scan(text, start, end, hits);
  return [...hits.list.slice(0, hits.count)].sort();
}

describe('the automaton', () => {
  test('finds literals of any length and case, wherever they overlap', () => {
    expect(found([['select'], ['lect'], ['ELECT 1'], ['x']], 'SELECT 1')).toEqual([0, 1, 2]);
  });

  test('asks for what must stand beside a literal, and tells the edge of the text from a byte', () => {
    const digit = besideOneOf([48, 57]);
    const space = beside(byteSet([32, 32]), { edge: true });
    const classes = [
      [{ text: 'or', before: space, after: space }],
      [{ text: 'id', before: digit, after: digit }],
    ];
    expect(found(classes, 'a or b')).toEqual([0]);
    expect(found(classes, 'or')).toEqual([0]);
    expect(found(classes, 'for 1id')).toEqual([]);
    expect(found(classes, 'for 1id2')).toEqual([1]);
    expect(found(classes, 'for', 1)).toEqual([0]);
  });

  test('goes on looking after a place where the rest did not fit', () => {
    expect(
      found([['select'], [{ text: 'a', after: besideOneOf([49, 49]) }]], 'a selec a2 select a1'),
    ).toEqual([0, 1]);
  });

  test('asks for what must stand beside a literal wherever it stands, as a search would', () => {
    const bytes = 'ab1 /é';
    const char = fc.constantFrom(...bytes);
    const side = fc.option(
      fc.record({ members: fc.uniqueArray(char, { maxLength: 6 }), edge: fc.boolean() }),
      { nil: undefined },
    );
    const literal = fc.record({
      text: fc.string({ unit: char, minLength: 1, maxLength: 7 }),
      left: side,
      right: side,
    });
    const besideOf = (one: { members: readonly string[]; edge: boolean }) =>
      beside(
        Uint8Array.from({ length: 256 }, (_unused, code) =>
          Number(one.members.includes(String.fromCharCode(code))),
        ),
        one,
      );
    const fits = (one: { members: readonly string[]; edge: boolean } | undefined, neighbour: string) =>
      one === undefined || (neighbour === '' ? one.edge : one.members.includes(neighbour));
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: char, maxLength: 24 }),
        fc.nat({ max: 3 }),
        (literals, text, start) => {
          const seen = text.slice(start);
          const classes = literals.map(({ text: sought, left, right }) => [
            {
              text: sought,
              ...(left && { before: besideOf(left) }),
              ...(right && { after: besideOf(right) }),
            },
          ]);
          const expected = [...literals.keys()].filter((id) => {
            const { text: sought = '', left, right } = literals[id] ?? {};
            return [...seen].some(
              (_unused, at) =>
                seen.startsWith(sought, at) &&
                fits(left, seen.slice(0, at).slice(-1)) &&
                fits(right, seen.slice(at + sought.length).slice(0, 1)),
            );
          });
          expect(found(classes, text, Math.min(start, text.length))).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('finds what a search finds', () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'A', '\xe9'),
      minLength: 1,
      maxLength: 7,
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
        piece,
        piece,
        (classes, head, tail) => {
          const text = `${head}${tail}${head}`;
          const folded = text.replaceAll('A', 'a');
          const expected = [...classes.keys()].filter((id) =>
            classes[id]?.some((literal) => folded.includes(literal.replaceAll('A', 'a'))),
          );
          expect(found(classes, text)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
