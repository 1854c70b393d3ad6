import { z } from 'zod';

/** A value of which every field, at every depth of its objects, may be left out. Lists are whole. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Patch<T[K]> | undefined }
    : T;

function withoutDefault(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return withoutDefault(schema.unwrap());
  }
  return schema instanceof z.ZodObject ? partialOf(schema) : schema;
}

function partialOf(schema: z.ZodObject): z.ZodObject {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, z.optional(withoutDefault(field))] as const,
  );
  return z.object(Object.fromEntries(fields));
}

/**
 * The schema of a change: the same checks on each field that is sent, and no defaults, so that what a client
 * leaves out stays absent instead of becoming its default.
 */
export function patchOf<S extends z.ZodObject>(schema: S): z.ZodType<Patch<z.output<S>>, Patch<z.input<S>>> {
  return partialOf(schema) as unknown as z.ZodType<Patch<z.output<S>>, Patch<z.input<S>>>;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lays a change over what is stored, at every depth; what it leaves out keeps its value. */
export function overlay(stored: Json, patch: Json): Json {
  const merged: Json = { ...stored };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || key === '__proto__') continue;
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    merged[key] = isObject(before) && isObject(value) ? overlay(before, value) : value;
  }
  return merged;
}

/** @returns the parse of what is stored with the change over it: the whole value, or all issues */
export function applyPatch<S extends z.ZodObject>(
  schema: S,
  stored: z.output<S>,
  patch: Patch<z.output<S>>,
): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(overlay(stored as Json, patch as Json));
}
