import type { Json } from './schemas.ts';

/** One field of an object, nested ones under a dotted path: `rules[].name`. */
export interface FieldRow {
  readonly path: string;
  /** plain text, or the name of a component */
  readonly type: Type;
  readonly required: boolean;
  /** default, bounds and what is said of it, in words; empty where there is nothing to say */
  readonly notes: string;
}

export interface Type {
  readonly text: string;
  /** name of the component that it is, or is a list of */
  readonly component?: string;
}

const schemasOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** @returns the name of the component that a schema refers to */
export function componentOf(schema: Json): string | undefined {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}

/** A schema's type in a few words. */
export function typeOf(schema: Json): Type {
  const component = componentOf(schema);
  if (component !== undefined) return { text: component, component };
  const choices = schemasOf(schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']);
  if (choices.length > 0) return { text: [...new Set(choices.map((one) => typeOf(one).text))].join(' or ') };
  if ('const' in schema) return { text: JSON.stringify(schema['const']) };
  if (Array.isArray(schema['enum'])) {
    return { text: schema['enum'].map((value) => JSON.stringify(value)).join(' | ') };
  }
  if (schema['type'] === 'array') {
    const places = schemasOf(schema['prefixItems']);
    if (places.length > 0) return { text: `list of ${places.map((one) => typeOf(one).text).join(', ')}` };
    const item = typeOf((schema['items'] ?? {}) as Json);
    return { ...item, text: `list of ${item.text}` };
  }
  return { text: typeof schema['type'] === 'string' ? schema['type'] : 'any value' };
}

const bounds = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'entries at least'],
  ['maxItems', 'entries at most'],
  ['format', 'format'],
  ['pattern', 'pattern'],
] as const;

/** Numbers that only say "as far as whole numbers go". */
const isNoBound = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** Default and bounds in words, and what the contract says of it. */
export function notesOf(schema: Json): string {
  const fallback = schema['default'];
  const notes = bounds.flatMap(([key, words]) =>
    key in schema && !isNoBound(schema[key]) ? [`${words} ${String(schema[key])}`] : [],
  );
  const isShown = fallback !== undefined && (typeof fallback !== 'object' || Array.isArray(fallback));
  const said = typeof schema['description'] === 'string' ? [schema['description']] : [];
  return [...(isShown ? [`default ${JSON.stringify(fallback)}`] : []), ...notes, ...said].join(', ');
}

/** What an object within another is looked into by: itself, or the entries of a list. */
function innerObject(schema: Json): { readonly schema: Json; readonly suffix: string } | undefined {
  if (schema['type'] === 'object' && schema['properties']) return { schema, suffix: '' };
  const items = schema['items'] as Json | undefined;
  const inner = schema['type'] === 'array' && items ? innerObject(items) : undefined;
  return inner && { schema: inner.schema, suffix: `[]${inner.suffix}` };
}

/** Every field of an object, those of objects within it below them. */
export function fieldRows(schema: Json, under = ''): FieldRow[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return properties.flatMap(([name, property]) => {
    const path = `${under}${name}`;
    const row = { path, type: typeOf(property), required: required.includes(name), notes: notesOf(property) };
    const inner = innerObject(property);
    return inner ? [row, ...fieldRows(inner.schema, `${path}${inner.suffix}.`)] : [row];
  });
}
