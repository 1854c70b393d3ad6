import type { z } from 'zod';
import { ApiError } from '../lib/api/index.ts';
import { messages } from '../lib/messages/index.ts';

/** Messages by dotted field path, as @mantine/form takes them. */
export type FieldErrors = Record<string, string>;

/** @returns a validator for @mantine/form: the first message of each field that the schema refuses */
export function validateWith<S extends z.ZodType>(schema: S): (values: unknown) => FieldErrors {
  return (values) => {
    const outcome = schema.safeParse(values);
    if (outcome.success) return {};
    const errors: FieldErrors = {};
    for (const issue of outcome.error.issues) errors[issue.path.join('.')] ??= issueText(issue);
    return errors;
  };
}

/** A schema without words of its own says bounds like a machine; a person reads them like this. */
function issueText(issue: z.core.$ZodIssue): string {
  const words = messages.common;
  if (issue.code === 'invalid_type' && issue.expected === 'number') return words.enterNumber;
  if (issue.code === 'too_small' && issue.origin !== 'string' && issue.message.startsWith('Too '))
    return words.atLeast(String(issue.minimum));
  if (issue.code === 'too_big' && issue.message.startsWith('Too '))
    return words.atMost(String(issue.maximum));
  return issue.message;
}

/** @returns what the service refused, by field; empty where it named none */
export function fieldErrorsOf(error: unknown): FieldErrors {
  const errors: FieldErrors = {};
  if (!(error instanceof ApiError)) return errors;
  for (const { path, message } of error.issues) errors[path.replace(/^body\./, '')] ??= message;
  return errors;
}
