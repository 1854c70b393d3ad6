import type { AddressListAnswer, AddressListCreate, TemporaryEntry } from '@portcullis/contract/access';
import { entriesOfText, entryOfLine, parseNetwork } from '@portcullis/contract/access';
import type { z } from 'zod';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import { endOf, entryCount } from '../../lib/queries/index.ts';

const words = messages.access.form;

/** What the form of a list asks; the addresses as text, one a line. */
export interface ListValues {
  name: string;
  action: 'allow' | 'block';
  /** a site's id, empty for every site */
  siteId: string;
  enabled: boolean;
  text: string;
  /** those that end */
  temporary: TemporaryEntry[];
  /** one more of those, not added yet */
  typed: string;
  lifetime: Lifetime;
}

/** Entries that a text field holds without being slow. */
const editable = 20_000;

/** Whether a list is too long for a form: its entries are fed by program, and stay as they are here. */
export const isFed = (list: AddressListAnswer) => entryCount(list) > editable;

/** @returns the form of a list, or of a new one */
export function listValues(list: AddressListAnswer | undefined): ListValues {
  return {
    name: list?.name ?? '',
    action: list?.action ?? 'block',
    siteId: list?.siteId ?? '',
    enabled: list?.enabled ?? true,
    text: list?.entries.join('\n') ?? '',
    temporary: list?.temporary ?? [],
    typed: '',
    lifetime: 'day',
  };
}

/** @returns what is wrong with the address that is typed; null where nothing is */
export function typedProblem(typed: string): string | null {
  const entry = typed.trim();
  return entry === '' || parseNetwork(entry.toLowerCase()) !== undefined ? null : words.temporary.bad(entry);
}

/** @returns the form with what is typed added from now on (Unix milliseconds): who saves without adding it means it too */
export function withTyped(values: ListValues, now: number): ListValues {
  const entry = values.typed.trim().toLowerCase();
  const expires_at = endOf(values.lifetime, now);
  if (entry === '' || expires_at === undefined) return values;
  const others = values.temporary.filter((one) => one.entry !== entry);
  return { ...values, typed: '', temporary: [...others, { entry, expires_at }] };
}

/** @returns the first line that names no address or network, and the numbers of others; null where all do */
export function textProblem(text: string): string | null {
  const bad = text.split('\n').flatMap((line, index) => {
    const entry = entryOfLine(line);
    return entry === undefined || parseNetwork(entry) !== undefined ? [] : [{ number: index + 1, entry }];
  });
  const [first, ...others] = bad;
  if (first === undefined) return null;
  return words.badLine(
    first.number,
    first.entry,
    others.map(({ number }) => number),
  );
}

/** @returns what is stored of the form; what it does not show keeps its value */
export function listToSend(
  values: ListValues,
  list: AddressListAnswer | undefined,
): z.input<typeof AddressListCreate> {
  return {
    name: values.name.trim(),
    description: list?.description ?? '',
    action: values.action,
    enabled: values.enabled,
    temporary: values.temporary,
    ...(list && isFed(list) ? {} : { entries: [...new Set(entriesOfText(values.text))] }),
    ...(values.siteId === '' ? {} : { siteId: values.siteId }),
  };
}
