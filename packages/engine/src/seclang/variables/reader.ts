import type { NamedValue } from '../body/index.ts';
import type { Transaction } from '../state/index.ts';

/** How the members of one variable are found. */
export interface VariableReader {
  /** every member: its name (empty for a variable that has one value) and value, latin1 */
  readonly members: (transaction: Transaction) => readonly NamedValue[];
  /** members by a selector, where that is not simply those of that name */
  readonly select?: (transaction: Transaction, selector: string) => readonly NamedValue[];
  /** rules can change it within a phase, so it is read anew each time */
  readonly volatile?: true;
  /** known in full from phase 1 on, so it is read once a request */
  readonly fixed?: true;
}

/** A variable with one value; absent when undefined. */
export function single(read: (transaction: Transaction) => string | number | undefined): VariableReader {
  return {
    members: (transaction) => {
      const value = read(transaction);
      return value === undefined ? [] : [['', String(value)]];
    },
  };
}

/** As {@link single}, read anew each time. */
export function changing(read: (transaction: Transaction) => string | number | undefined): VariableReader {
  return { ...single(read), volatile: true };
}

/** Names of members as values. */
export const namesOf = (members: readonly NamedValue[]): readonly NamedValue[] =>
  members.map(([name]) => [name, name]);
