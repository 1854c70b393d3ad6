import { z } from 'zod';

/**
 * Reads an answer with the contract's schema, keeping what parses where something is missing: any server
 * that keeps the public calls may leave optional fields out, and one odd entry must not empty a list.
 * @returns the parsed value; parts that do not parse stay as they came. Never throws.
 */
export function readTolerant<S extends z.ZodType>(schema: S, data: unknown): z.output<S> {
  const whole = schema.safeParse(data);
  if (whole.success) return whole.data;
  return salvage(schema, data) as z.output<S>;
}

function salvage(schema: z.ZodType, data: unknown): unknown {
  const whole = schema.safeParse(data);
  if (whole.success) return whole.data;
  if (schema instanceof z.ZodArray && Array.isArray(data)) {
    const element = schema.element as z.ZodType;
    return data.map((entry) => salvage(element, entry));
  }
  if (schema instanceof z.ZodObject && isRecord(data)) {
    const kept: Record<string, unknown> = { ...data };
    for (const [key, part] of Object.entries(schema.shape)) kept[key] = salvage(part as z.ZodType, data[key]);
    return kept;
  }
  return data;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
