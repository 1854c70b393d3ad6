import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

const fieldsOf = (schema: Json) => Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
const named = (text: Readonly<Record<string, unknown>>, path: string) =>
  Object.entries(text).find(([end]) => path === end || path.endsWith(`.${end}`));

function otherThan(schema: Json, path: string, known: Readonly<Record<string, unknown>>): unknown {
  const given = named(known, path);
  if (given) return given[1];
  const usual = schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'].findLast((one) => one !== usual);
  if (schema['type'] === 'boolean') return usual !== true;
  if (schema['type'] === 'integer') {
    const [least, most] = [Number(schema['minimum']), Number(schema['maximum'])];
    return usual === most ? least : Math.min(most, Number(usual ?? least) + 1);
  }
  if (schema['type'] === 'array') return [otherThan(schema['items'] as Json, `${path}.0`, known)];
  if (schema['type'] === 'object') {
    return Object.fromEntries(
      fieldsOf(schema).map(([name, field]) => [
        name,
        otherThan(field, path === '' ? name : `${path}.${name}`, known),
      ]),
    );
  }
  return `/${path}`;
}

const described = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json;

/**
 * A value with every field that a schema knows, each other than its default.
 * @param known what must have a form of its own, by the end of its path, the first that fits: `cors.allowed_methods`, `domains`
 */
export const unlikeDefault = (schema: z.ZodType, known: Readonly<Record<string, unknown>> = {}): unknown =>
  otherThan(described(schema), '', known);

function valuesAt(value: unknown, names: readonly string[]): unknown[] {
  const [name, ...rest] = names;
  if (name === undefined) return [value];
  if (name === '*') return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  const inner = typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;
  return inner === undefined ? [] : valuesAt(inner, rest);
}

function paths(schema: Json, path: readonly string[]): { path: readonly string[]; usual: unknown }[] {
  const choices = (schema['anyOf'] ?? []) as Json[];
  const form = choices.find(({ type }) => type === 'array') ?? schema;
  if (form['type'] === 'object') {
    return fieldsOf(form).flatMap(([name, field]) => paths(field, [...path, name]));
  }
  if (form['type'] === 'array') return paths(form['items'] as Json, [...path, '*']);
  return [{ path, usual: schema['default'] }];
}

/** @returns paths of a schema's fields that a value has nowhere, or with their default alone */
export function leftAtDefault(schema: z.ZodType, value: unknown): string[] {
  return paths(described(schema), [])
    .filter(({ path, usual }) => !valuesAt(value, path).some((one) => one !== usual))
    .map(({ path }) => path.join('.'));
}
