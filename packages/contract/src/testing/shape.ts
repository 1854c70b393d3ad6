import type { z } from 'zod';

export type Schema = z.core.JSONSchema.BaseSchema;

/** What does not decide whether the other end can read a value, or says the same at greater length. */
const asides = new Set(['$schema', 'default', 'description', 'pattern', 'additionalProperties', 'required']);

/**
 * A schema as lines, one a field: its path, whether it must be there, and what it may hold.
 * @param at path of the whole
 */
export function* linesOf(at: string, schema: Schema, need = 'is'): Generator<string> {
  const { properties, items, anyOf, oneOf, ...rest } = schema;
  const said = Object.entries(rest).filter(([name]) => !asides.has(name));
  yield `${at} ${need} ${JSON.stringify(Object.fromEntries(said))}`;
  for (const [name, inner] of Object.entries(properties ?? {}))
    yield* linesOf(`${at}.${name}`, inner as Schema, schema.required?.includes(name) ? 'must' : 'may');
  if (items) yield* linesOf(`${at}[]`, items as Schema, 'each');
  const values = schema.additionalProperties;
  if (typeof values === 'object') yield* linesOf(`${at}{}`, values as Schema, 'each');
  for (const [index, inner] of (anyOf ?? oneOf ?? []).entries())
    yield* linesOf(`${at}|${index}`, inner as Schema, 'or');
}
