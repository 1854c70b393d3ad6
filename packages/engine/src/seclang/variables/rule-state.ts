import type { NamedValue } from '../body/index.ts';
import { readEntry, type Transaction } from '../state/index.ts';
import { changing, type VariableReader } from './reader.ts';

/** Collections that rules write. TX lasts for a request; the others are opened by a rule, and may be kept. */
export const collectionNames = ['TX', 'IP', 'GLOBAL', 'RESOURCE', 'SESSION', 'USER'] as const;

function collection(name: (typeof collectionNames)[number]): VariableReader {
  return {
    volatile: true,
    members: ({ collections }) =>
      [...(collections.get(name)?.entries.values() ?? [])].map(({ key, value }): NamedValue => [key, value]),
    select: ({ collections }, selector) => {
      const from = collections.get(name);
      const value = from && readEntry(from, selector);
      return value === undefined ? [] : [[selector, value]];
    },
  };
}

/** What a rule said that this session, or user, is called. */
function keyOf(name: 'SESSION' | 'USER'): VariableReader {
  return changing(({ collections }) => {
    const opened = collections.get(name);
    return opened && readEntry(opened, 'KEY');
  });
}

function ruleFacts(transaction: Transaction): readonly NamedValue[] {
  const { rule } = transaction;
  if (!rule) return [];
  return [
    ['id', String(rule.id)],
    ['severity', rule.severity],
    ['rev', rule.rev],
    ['msg', rule.message(transaction)],
    ['logdata', rule.logData(transaction)],
  ];
}

/** What rules leave behind for later rules. */
export const stateVariables: Readonly<Record<string, VariableReader>> = {
  ...Object.fromEntries(collectionNames.map((name) => [name, collection(name)])),
  RULE: { volatile: true, members: ruleFacts },
  MATCHED_VAR: changing(({ lastMatch }) => lastMatch?.value),
  MATCHED_VAR_NAME: changing(({ lastMatch }) => lastMatch?.name),
  MATCHED_VARS: {
    volatile: true,
    members: ({ matched }) => matched.map(({ name, value }) => [name, value]),
  },
  MATCHED_VARS_NAMES: {
    volatile: true,
    members: ({ matched }) => matched.map(({ name }) => [name, name]),
  },
  HIGHEST_SEVERITY: changing(({ highestSeverity }) => highestSeverity),
  SESSIONID: keyOf('SESSION'),
  USERID: keyOf('USER'),
};
