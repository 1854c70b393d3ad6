import * as access from '@portcullis/contract/access';
import * as auth from '@portcullis/contract/auth';
import * as certificates from '@portcullis/contract/certificates';
import * as configuration from '@portcullis/contract/configuration';
import * as events from '@portcullis/contract/events';
import * as monitoring from '@portcullis/contract/monitoring';
import * as notifications from '@portcullis/contract/notifications';
import * as protection from '@portcullis/contract/protection';
import * as settings from '@portcullis/contract/settings';
import * as sites from '@portcullis/contract/sites';
import * as users from '@portcullis/contract/users';
import { z } from 'zod';

/** A JSON object, such as a JSON Schema or a part of an OpenAPI document. */
export type Json = { readonly [name: string]: unknown };

/** Which side a schema is for: what a client sends may leave defaults out, what it gets has them. */
export type Side = 'input' | 'output';

const modules = [
  access,
  auth,
  certificates,
  configuration,
  events,
  monitoring,
  notifications,
  protection,
  settings,
  sites,
  users,
];

/** The contract's objects by the names under which it exports them. */
const names = z.registry<{ id: string }>();
for (const module of modules) {
  for (const [name, value] of Object.entries(module)) {
    if (value instanceof z.ZodObject && !names.has(value)) names.add(value, { id: name });
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the contract says of a field stands in a registry of zod's own, beside that of the names. */
function describe({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]): void {
  const said = z.globalRegistry.get(zodSchema)?.description;
  if (said !== undefined) jsonSchema.description = said;
}

/** Goes through a schema, replacing its objects from the inside out. */
function mapObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, item]) => [name, mapObjects(item, change)] as const);
  return change(Object.fromEntries(inner));
}

const definitionsPrefix = '#/$defs/';

/** Collects the named schemas of a document, so that each stands in it once. */
export class SchemaCollector {
  readonly #collected = new Map<string, Json>();

  /** @returns the schema for a place in the document, its named parts as references to components */
  schemaOf(schema: z.ZodType, side: Side): Json {
    // `unrepresentable: any` because transforms (lower case, comma lists) have no form in JSON Schema.
    const options = {
      io: side,
      metadata: names,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      override: describe,
    } as const;
    const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, options) as Json;
    const nameOf = (name: string) => (side === 'input' && this.#isOther(name) ? `${name}Input` : name);
    const place = (value: unknown) => mapObjects(value, (object) => settled(object, nameOf)) as Json;
    for (const [name, definition] of Object.entries($defs as Json)) {
      const settledDefinition = place(definition);
      this.#collected.set(nameOf(name), settledDefinition);
    }
    return place(root);
  }

  /** Components by name, in alphabetic order. */
  components(): Json {
    return Object.fromEntries([...this.#collected].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Whether a named object looks otherwise when it is sent: defaults may be left out then. */
  #isOther(name: string): boolean {
    return sidesDiffer().has(name);
  }
}

let different: ReadonlySet<string> | undefined;

/** The names of objects whose two sides differ, by themselves or by what they hold. */
function sidesDiffer(): ReadonlySet<string> {
  different ??= new Set(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) => {
        if (!(value instanceof z.ZodObject)) return [];
        const of = (io: Side) =>
          JSON.stringify(
            mapObjects(z.toJSONSchema(value, { io, unrepresentable: 'any' }), (object) => open(object)),
          );
        return of('input') === of('output') ? [] : [name];
      }),
    ),
  );
  return different;
}

/** An answer may get further fields with a later version, so nobody is told that there are none. */
function open({ additionalProperties, ...object }: Json): Json {
  return additionalProperties === false || additionalProperties === undefined
    ? object
    : { ...object, additionalProperties };
}

function settled(object: Json, nameOf: (name: string) => string): Json {
  const { $ref, ...rest } = open(object);
  if (typeof $ref !== 'string' || !$ref.startsWith(definitionsPrefix)) return open(object);
  return { ...rest, $ref: `#/components/schemas/${nameOf($ref.slice(definitionsPrefix.length))}` };
}
