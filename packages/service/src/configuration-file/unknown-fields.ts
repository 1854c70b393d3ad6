import { z } from 'zod';

type Path = readonly (string | number)[];

/** A field that no schema knows, most likely a slip of the pen. */
export interface UnknownField {
  readonly path: Path;
  /** the fields that could stand there */
  readonly known: readonly string[];
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  ) {
    return bare(schema.unwrap());
  }
  return schema;
}

/** All fields of a value that its schema does not name, at every depth. A wrong type is the schema's to tell. */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: Path = []): UnknownField[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => unknownFields(inner.element, item, [...path, index]));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const shape = inner.shape as Record<string, z.core.$ZodType>;
  return Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const here = [...path, name];
    return field ? unknownFields(field, item, here) : [{ path: here, known: Object.keys(shape) }];
  });
}
