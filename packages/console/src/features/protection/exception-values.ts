import type { UseFormReturnType } from '@mantine/form';
import { InspectionException } from '@portcullis/contract/sites';
import type { InspectedCategory } from '@portcullis/contract/vocabulary';
import { validateWith } from '../../components/form-errors.ts';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import { endOf } from '../../lib/queries/index.ts';

const words = messages.protection.exceptions.form;

/** What the form of an exception holds; empty texts set no condition. */
export interface ExceptionValues {
  about: 'category' | 'rule';
  category: InspectedCategory;
  rule_id: string;
  path: string;
  parameter: string;
  method: string;
  /** `kept`: the end that it has */
  until: Lifetime | 'kept';
  note: string;
}

/** The form of an exception as its parts take it. */
export type ExceptionFormState = UseFormReturnType<ExceptionValues>;

/** @returns the values of a stored exception, or of a new one */
export function exceptionValues(one: InspectionException | undefined): ExceptionValues {
  return {
    about: one?.rule_id === undefined ? 'category' : 'rule',
    category: one?.category ?? 'sql_injection',
    rule_id: one?.rule_id ?? '',
    path: one?.path ?? '',
    parameter: one?.parameter ?? '',
    method: one?.method ?? '',
    until: one?.expires_at === undefined ? 'never' : 'kept',
    note: one?.note ?? '',
  };
}

/** @param now Unix milliseconds, from which a lifetime counts */
export function exceptionToStore(
  values: ExceptionValues,
  before: InspectionException | undefined,
  now: number,
): InspectionException {
  const { about, category, until } = values;
  const end = until === 'kept' ? before?.expires_at : endOf(until, now);
  // A rule of a category can be named with it; what the form does not ask is kept.
  const subject =
    about === 'category'
      ? { category }
      : {
          rule_id: values.rule_id.trim(),
          ...(before?.category && before.rule_id === values.rule_id.trim()
            ? { category: before.category }
            : {}),
        };
  const conditions = { path: values.path, parameter: values.parameter, method: values.method.toUpperCase() };
  const set = Object.entries(conditions).flatMap(([key, text]) =>
    text.trim() === '' ? [] : [[key, text.trim()] as const],
  );
  return {
    ...subject,
    ...Object.fromEntries(set),
    ...(end === undefined ? {} : { expires_at: end }),
    note: values.note.trim(),
  };
}

const check = validateWith(InspectionException);

/** @returns what is wrong, by field */
export function exceptionProblems(values: ExceptionValues): Record<string, string> {
  if (values.about === 'rule' && values.rule_id.trim() === '') return { rule_id: words.ruleRequired };
  return check(exceptionToStore({ ...values, until: 'never' }, undefined, 0));
}
