import type { z } from 'zod';
import { ApiError } from '../lib/api/index.ts';

/** Messages by dotted field path, as @mantine/form takes them. */
export type FieldErrors = Record<string, string>;

/** @returns a validator for @mantine/form: the first message of each field that the schema refuses */
export function validateWith<S extends z.ZodType>(schema: S): (values: unknown) => FieldErrors {
  return (values) => {
    const outcome = schema.safeParse(values);
    if (outcome.success) return {};
    const errors: FieldErrors = {};
    for (const issue of outcome.error.issues) errors[issue.path.join('.')] ??= issue.message;
    return errors;
  };
}

/** @returns what the service refused, by field; empty where it named none */
export function fieldErrorsOf(error: unknown): FieldErrors {
  const errors: FieldErrors = {};
  if (!(error instanceof ApiError)) return errors;
  for (const { path, message } of error.issues) errors[path.replace(/^body\./, '')] ??= message;
  return errors;
}
