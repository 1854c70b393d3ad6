import type { NamedValue } from '../body/index.ts';
import type { Transaction } from '../state/index.ts';
import { namesOf, single, type VariableReader } from './reader.ts';

const fromQuery = ({ facts }: Transaction): readonly NamedValue[] => facts.argsGet;
const fromBody = ({ body }: Transaction): readonly NamedValue[] => body?.args ?? [];
const all = (transaction: Transaction): readonly NamedValue[] => [
  ...fromQuery(transaction),
  ...fromBody(transaction),
];

/** Parameters of the query string and of the body. */
export const argumentVariables: Readonly<Record<string, VariableReader>> = {
  ARGS: { members: all },
  ARGS_NAMES: { members: (transaction) => namesOf(all(transaction)) },
  ARGS_GET: { members: fromQuery },
  ARGS_GET_NAMES: { members: (transaction) => namesOf(fromQuery(transaction)) },
  ARGS_POST: { members: fromBody },
  ARGS_POST_NAMES: { members: (transaction) => namesOf(fromBody(transaction)) },
  ARGS_COMBINED_SIZE: single((transaction) =>
    all(transaction).reduce((sum, [name, value]) => sum + name.length + value.length, 0),
  ),
};
