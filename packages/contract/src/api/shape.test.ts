import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linesOf, type Schema } from '../testing/index.ts';
import { type Endpoint, endpoints, errorCatalogue } from './index.ts';

const record = path.join(import.meta.dirname, 'shape.txt');

const head = `# What the public API promises to its clients, one line a field: calls with what they need, take and answer, and the
# codes of errors. Where a test says that this no longer fits:
# - Was something added that nobody must send, record it: npx vitest run packages/contract/src/api -u
# - Else a client would break. That is refused, and not recorded either: keep what there was beside the new. Where it
#   has to go all the same, take its lines out of this file by hand, and say so in the notes of the release.
`;

type Io = 'input' | 'output';

function* linesOfPart(name: string, schema: z.ZodType | undefined, io: Io): Generator<string> {
  if (schema) yield* linesOf(name, z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema);
}

function* linesOfCall(call: Endpoint): Generator<string> {
  yield `access is ${JSON.stringify(call.access)}`;
  yield* linesOfPart('params', call.params, 'input');
  yield* linesOfPart('query', call.query, 'input');
  yield* linesOfPart('headers', call.headers, 'input');
  if (call.accepts) yield `body is ${JSON.stringify(call.accepts)}`;
  yield* linesOfPart('body', call.body, 'input');
  if (call.produces) yield `answer is ${JSON.stringify(call.produces)}`;
  yield* linesOfPart('answer', call.response, 'output');
}

function shapeOf(calls: readonly Endpoint[], codes: Readonly<Record<string, { status: number }>>): string {
  const named = calls.map((call) => [`${call.method} ${call.path}`, [...linesOfCall(call)]] as const);
  const errors = Object.entries(codes).map(([code, { status }]) => `${code} is ${status}`);
  const parts = [...named.sort(([a], [b]) => (a < b ? -1 : 1)), ['errors', errors] as const];
  return parts.map(([title, lines]) => `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`).join('');
}

interface Line {
  readonly need: string;
  readonly said: unknown;
}

/** The lines of a shape by call and path. */
function read(shape: string): Map<string, Line> {
  const lines = new Map<string, Line>();
  let title = '';
  for (const line of shape.split('\n')) {
    const [, at, need = '', said = ''] = /^ {2}(\S+) (\w+) (.*)$/.exec(line) ?? [];
    if (at !== undefined) lines.set(`${title} ${at}`, { need, said: JSON.parse(said) });
    else if (line !== '' && !line.startsWith('#')) title = line;
  }
  return lines;
}

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/** Whether what was taken before may be refused now. */
function isNarrower(before: Record<string, unknown>, now: Record<string, unknown>): boolean {
  const words = before['enum'] as unknown[] | undefined;
  const taken = now['enum'] as unknown[] | undefined;
  return (
    (taken !== undefined && (words === undefined || words.some((word) => !taken.includes(word)))) ||
    lowest.some((bound) => bound in now && !(Number(now[bound]) <= Number(before[bound]))) ||
    highest.some((bound) => bound in now && !(Number(now[bound]) >= Number(before[bound])))
  );
}

const typesOf = ({ type }: Record<string, unknown>) => [type].flat();

/** @returns in words what breaks a client of the field */
function breakOf(key: string, before: Line, now: Line | undefined): string | undefined {
  if (now === undefined) return `${key} is gone`;
  if (typeof before.said !== 'object' || before.said === null || !('type' in before.said)) {
    const same = JSON.stringify(before.said) === JSON.stringify(now.said);
    return same ? undefined : `${key} was ${JSON.stringify(before.said)}`;
  }
  const [was = {}, is = {}] = [before.said, now.said] as Record<string, unknown>[];
  const [types, present] = [typesOf(was), typesOf(is)];
  const isAnswer = / answer\b/.test(key);
  // What is answered may become fewer kinds of value, and what is taken more.
  const [some, all] = isAnswer ? [present, types] : [types, present];
  if (!some.every((type) => all.includes(type))) return `${key} was ${types.join()}`;
  if (isAnswer) {
    return before.need === 'must' && now.need === 'may' ? `${key} was always there` : undefined;
  }
  if (before.need === 'may' && now.need === 'must') return `${key} could be left out`;
  return isNarrower(was, is) ? `${key} took more than now` : undefined;
}

/** @returns what a client of the shape before cannot do any more */
function breaksBetween(before: string, after: string): string[] {
  const [old, now] = [read(before), read(after)];
  const changed = [...old].flatMap(([key, line]) => breakOf(key, line, now.get(key)) ?? []);
  const forced = [...now]
    .filter(([key, { need }]) => need === 'must' && !old.has(key) && old.has(`${callOf(key)} access`))
    .filter(([key]) => !/ answer\b/.test(key))
    // Within something new that may be left out it forces nobody.
    .filter(([key]) => old.has(parentOf(key)) || now.get(parentOf(key))?.need === 'is')
    .map(([key]) => `${key} must be sent now`);
  return [...changed, ...forced];
}

const callOf = (key: string) => key.slice(0, key.lastIndexOf(' '));
const parentOf = (key: string) => key.slice(0, key.lastIndexOf('.'));

const calls = Object.values(endpoints).flatMap((byName) => Object.values(byName as Record<string, Endpoint>));
const shape = shapeOf(calls, errorCatalogue);

describe('the public API', () => {
  it('keeps what it promised, and says so in its record', async () => {
    const breaks = breaksBetween(readFileSync(record, 'utf8'), shape);
    expect(breaks, `this breaks clients; the head of ${record} says what to do`).toEqual([]);
    // Not reached by what breaks somebody, so that `-u` cannot record that.
    await expect(head + shape).toMatchFileSnapshot(record);
  });

  const call = (more: Partial<Endpoint>): Endpoint => ({
    ...{ method: 'POST', path: '/things', access: 'signed-in', summary: '' },
    body: z.object({ name: z.string().max(9), note: z.string().optional() }),
    response: z.object({ id: z.string(), kind: z.enum(['a', 'b']) }),
    ...more,
  });
  const codes = { not_found: { status: 404 } };
  const before = shapeOf([call({})], codes);
  const after = (more: Partial<Endpoint>) => breaksBetween(before, shapeOf([call(more)], codes));

  it('may get what nobody has to send or to read', () => {
    const body = z.object({
      name: z.string().max(99),
      note: z.string().optional(),
      tags: z.array(z.object({ word: z.string() })).optional(),
    });
    const response = z.object({ id: z.string(), kind: z.enum(['a', 'b', 'c']), at: z.string().optional() });
    expect(after({ body, response, query: z.object({ dry: z.string().optional() }) })).toEqual([]);
    expect(breaksBetween(before, shapeOf([call({}), call({ path: '/others' })], codes))).toEqual([]);
  });

  it.each([
    ['a field of the answer goes', { response: z.object({ id: z.string() }) }, 'kind is gone'],
    [
      'a field of the answer may be missing',
      { response: z.object({ id: z.string().optional(), kind: z.enum(['a', 'b']) }) },
      'id was always there',
    ],
    [
      'a field of the answer is something else',
      { response: z.object({ id: z.number(), kind: z.enum(['a', 'b']) }) },
      'id was string',
    ],
    [
      'a field of the answer may be nothing',
      { response: z.object({ id: z.string().nullable(), kind: z.enum(['a', 'b']) }) },
      'id was string',
    ],
    ['a field is not read any more', { body: z.object({ name: z.string().max(9) }) }, 'note is gone'],
    [
      'a field must be sent that could be left out',
      { body: z.object({ name: z.string().max(9), note: z.string() }) },
      'note could be left out',
    ],
    [
      'a new field must be sent',
      { body: z.object({ name: z.string().max(9), note: z.string().optional(), more: z.string() }) },
      'more must be sent now',
    ],
    [
      'a field takes less',
      { body: z.object({ name: z.string().max(8), note: z.string().optional() }) },
      'name took more than now',
    ],
    ['it needs another permission', { access: { anyOf: ['site:view'] } }, 'access was "signed-in"'],
    ['its method changes', { method: 'PUT' }, 'is gone'],
  ] as const)('breaks clients where %s', (_what, more, told) => {
    expect(after(more as Partial<Endpoint>).join()).toContain(told);
  });

  it('breaks clients where a code of an error goes or gets another status', () => {
    expect(breaksBetween(before, shapeOf([call({})], {}))).toEqual(['errors not_found is gone']);
    expect(breaksBetween(before, shapeOf([call({})], { not_found: { status: 410 } }))).toEqual([
      'errors not_found was 404',
    ]);
  });
});
