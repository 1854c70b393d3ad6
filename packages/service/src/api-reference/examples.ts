import { z } from 'zod';
import { exampleTime, exampleValues, isTimeField } from './example-values.ts';
import type { Json, Side } from './schemas.ts';

const listOf = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);

/** Whether a schema takes a value, as far as its type and its list of values tell. */
function takes(schema: Json, value: unknown): boolean {
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choices.length > 0) return choices.some((choice) => takes(choice, value));
  if ('const' in schema) return schema['const'] === value;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  // What is checked by code alone has no type.
  if (schema['type'] === undefined) return true;
  const types = [schema['type']].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => takes(itemOf(schema), one));
  if (typeof value === 'number') {
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  }
  if (typeof value === 'object') return types.includes('object') && takesFields(schema, value as Json);
  return types.includes(typeof value);
}

const itemOf = (schema: Json) => (schema['items'] ?? {}) as Json;
const fieldsOf = (schema: Json) => Object.entries((schema['properties'] ?? {}) as Record<string, Json>);

function takesFields(schema: Json, value: Json): boolean {
  const fields = new Map(fieldsOf(schema));
  return Object.entries(value).every(([name, one]) => takes(fields.get(name) ?? {}, one));
}

function numberOf(schema: Json): number {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0);
  const most = Number(schema['maximum'] ?? Number.MAX_SAFE_INTEGER);
  return Math.min(Math.max(least, 1), most);
}

/** Fields that must be there, and those of the others that there is something to show for. */
function objectOf(schema: Json, side: Side): Json {
  const required = new Set(listOf(schema['required']) as unknown[]);
  const shown = fieldsOf(schema).filter(([name, field]) => {
    const isKnown = name in exampleValues && takes(field, exampleValues[name]);
    return required.has(name) || isKnown || (side === 'output' && isTimeField(name));
  });
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleFor(field, name, side)]));
}

/** One entry, or of a list whose places differ each. */
function entriesOf(schema: Json, name: string, side: Side): unknown[] {
  const places = listOf(schema['prefixItems']);
  const each = places.length > 0 ? places : [itemOf(schema)];
  return each.map((entry) => exampleFor(entry, name, side));
}

function exampleFor(schema: Json, name: string, side: Side): unknown {
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const types = [schema['type']].flat();
  if (types.includes('string') && isTimeField(name)) return exampleTime;
  if (name in exampleValues && takes(schema, exampleValues[name])) return exampleValues[name];
  if ('default' in schema) return schema['default'];
  const [choice] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choice) return exampleFor(choice, name, side);
  if (types.includes('object')) return objectOf(schema, side);
  if (types.includes('array')) return entriesOf(schema, name.replace(/s$/, ''), side);
  if (types.includes('integer') || types.includes('number')) return numberOf(schema);
  if (types.includes('boolean')) return true;
  return types.includes('null') ? null : name;
}

/**
 * One body as it may come: made of the schema, so that no call is without one and none is wrong for long.
 * @returns JSON that the schema takes
 */
export function exampleOf(schema: z.ZodType, side: Side): unknown {
  const described = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', reused: 'inline' });
  return exampleFor(described as Json, '', side);
}
