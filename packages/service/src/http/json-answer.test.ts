import { type Endpoint, endpoints } from '@portcullis/contract/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '../api-reference/examples.ts';
import { jsonAnswer } from './json-answer.ts';

const List = z.object({
  id: z.string(),
  entries: z.array(z.string()),
  places: z.array(z.object({ name: z.string() })).optional(),
  count: z.number().optional(),
});
const lists = z.array(List);

async function whole(schema: z.ZodType, value: unknown): Promise<string> {
  const { begin, rest = [] } = jsonAnswer(schema, value);
  let text = begin;
  for (const piece of rest) text += piece;
  return text;
}

/** Copies of a value, each with one of its lists as long as `length`, by the place of that list. */
function* lengthened(value: unknown, length: number, place = ''): Generator<[place: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 0) {
    yield [place, Array.from({ length }, (_, n) => value[n % value.length])];
  }
  for (const [name, inner] of Object.entries(value)) {
    for (const [at, longer] of lengthened(inner, length, `${place}.${name}`)) {
      const copy = Array.isArray(value) ? value.with(Number(name), longer) : { ...value, [name]: longer };
      yield [at, copy];
    }
  }
}

const answered = Object.values(endpoints).flatMap((byName) =>
  Object.values(byName as Record<string, Endpoint>).flatMap(({ method, path, response }) =>
    response ? [{ call: `${method} ${path}`, schema: response }] : [],
  ),
);

describe('an answer', () => {
  it('of every call is what its schema makes of it where a list is as long as it may be', async () => {
    const tried: string[] = [];
    for (const { call, schema } of answered) {
      for (const length of [256, 1000]) {
        for (const [place, value] of lengthened(exampleOf(schema, 'output'), length)) {
          const { success, data } = schema.safeParse(value);
          if (!success) continue;
          const answer = await whole(schema, value).then(JSON.parse, String);
          expect([call, place, answer]).toEqual([call, place, data]);
          tried.push(`${call} ${place} ${length}`);
        }
      }
    }
    expect(tried).toContain('POST /sites .domains 1000');
    expect(tried).toContain('GET /sites .0.domains 256');
    expect(tried.length).toBeGreaterThan(80);
  }, 60_000);

  it('takes no list apart whose schema looks at all of it, nor an object that is checked as a whole', async () => {
    const entries = Array.from({ length: 300 }, (_, n) => `${n}`);
    const unlike = z.array(z.string()).refine((list) => new Set(list).size === list.length);
    const checked = z.object({ entries: z.array(z.string()) }).refine((one) => one.entries.length > 1);
    expect(JSON.parse(await whole(checked, { entries }))).toEqual({ entries });
    for (const [schema, value] of [
      [unlike, [...entries, '1']],
      [z.object({ unlike }), { unlike: [...entries, '1'] }],
      [z.array(z.string()).min(400), entries],
      [checked.refine(() => false), { entries }],
    ] as const) {
      await expect(async () => whole(schema, value)).rejects.toThrow(z.ZodError);
    }
  });

  it('is the JSON of what its schema makes of it, however long its lists are', async () => {
    const lengths = fc.constantFrom(0, 1, 255, 256, 257, 1999, 2000, 2001, 30_000);
    const entries = lengths.map((length) => Array.from({ length }, (_, n) => `10.0."${n}"`));
    const list = fc.record(
      { id: fc.string(), entries, count: fc.integer(), secret: fc.string() },
      { requiredKeys: ['id', 'entries'] },
    );
    const anything = fc.tuple(
      fc.oneof(fc.constant(0), fc.constant(1), fc.constant(300)),
      fc.array(list, { maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(anything, async ([more, some]) => {
        const short = Array.from({ length: more }, (_, n) => ({ id: `${n}`, entries: [], secret: 'x' }));
        for (const [schema, value] of [
          [lists, [...some, ...short]],
          [List, some[0] ?? { id: '', entries: [] }],
          [z.object({ lists, end: z.boolean() }), { lists: [...short, ...some], end: true }],
          [z.union([z.object({ a: z.string() }), lists]), some],
          [z.union([z.object({ a: z.string() }), List]), some[0] ?? { a: 'b' }],
        ] as const) {
          expect(JSON.parse(await whole(schema, value))).toEqual(schema.parse(value));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('that is long is made as it is taken, and not all of it at once', async () => {
    let made = 0;
    const million = { length: 1_000_000 };
    const entries = Array.from(million, (_, n) => `10.${n}`);
    const slice = (from: number, until: number) => {
      made += until - from;
      return entries.slice(from, until);
    };
    const watched = new Proxy(entries, {
      get: (list, name) => (name === 'slice' ? slice : Reflect.get(list, name)),
    });
    const { begin, rest } = jsonAnswer(List, { id: 'a', entries: watched });
    expect(begin.length).toBeLessThan(200_000);
    expect(made).toBeLessThan(20_000);
    let longest = 0;
    let length = begin.length;
    for (const piece of rest ?? []) {
      longest = Math.max(longest, piece.length);
      length += piece.length;
    }
    expect(longest).toBeLessThan(200_000);
    expect([made, length]).toEqual([1_000_000, JSON.stringify({ id: 'a', entries }).length]);
  });

  it('lets nothing out that does not fit its schema', async () => {
    const entries: unknown[] = Array.from({ length: 100_000 }, () => '192.0.2.1');
    expect(() => jsonAnswer(List, { id: 'a', entries: [{}] })).toThrow(z.ZodError);
    await expect(whole(List, { id: 'a', entries: [...entries, 7] })).rejects.toThrow(z.ZodError);
  });
});
