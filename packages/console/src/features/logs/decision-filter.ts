import { messages } from '../../lib/messages/index.ts';
import type { LogsSearch } from './search.ts';

const words = messages.logs.decisions;

/** A choice of the filter by decision: `action blocked`, `would block`, or all. */
type Choice = `${'action' | 'would'} ${string}` | 'all';

interface Option {
  readonly value: Choice;
  readonly label: string;
}

/** @returns which decision the address asks for */
export function decisionIn({ action, would }: LogsSearch): Choice {
  if (would !== undefined) return `would ${would}`;
  return action === undefined ? 'all' : `action ${action}`;
}

/** @returns the address with that decision asked for in place of another one */
export function withDecision(search: LogsSearch, choice: string): LogsSearch {
  const { action: _action, would: _would, ...rest } = search;
  const [key = '', value = ''] = choice.split(' ');
  return key === 'action' || key === 'would' ? { ...rest, [key]: value } : rest;
}

/** What was carried out, what sites that are only watched withheld, and a choice of several that a link brought. */
export function decisionOptions(search: LogsSearch): (Option | { group: string; items: Option[] })[] {
  const groups = [
    { group: words.carriedOut, items: optionsOf('action') },
    { group: words.withheld, items: optionsOf('would') },
  ];
  const chosen = decisionIn(search);
  const known = chosen === 'all' || groups.some(({ items }) => items.some(({ value }) => value === chosen));
  return [
    { value: 'all', label: words.all },
    ...(known ? [] : [{ value: chosen, label: severalOf(search) }]),
    ...groups,
  ];
}

const optionsOf = (key: 'action' | 'would'): Option[] =>
  Object.entries(words[key]).map(([value, label]) => ({ value: `${key} ${value}`, label }));

function severalOf({ action = '', would }: LogsSearch): string {
  const names = would === undefined ? words.action : words.would;
  return (would ?? action)
    .split(',')
    .map((one) => names[one] ?? one)
    .join(', ');
}
