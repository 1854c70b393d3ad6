import type { ConfigurationDifference } from '@portcullis/contract/configuration';
import { escapeControls } from '../log/index.ts';

const sign = { created: '+', updated: '~', deleted: '-' } as const;

/** Lines of one change at most; the rest is counted. */
const maxLines = 40;
const maxValue = 100;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = escapeControls(JSON.stringify(value));
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that change with every save and say nothing. */
const bookkeeping = new Set(['version', 'created_at', 'updated_at']);

/** What differs between two values, a line for each field that is no object. */
function differences(before: unknown, after: unknown, path = ''): string[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names]
      .filter((name) => path !== '' || !bookkeeping.has(name))
      .flatMap((name) => differences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [`    ${escapeControls(path)}: ${shown(before)} → ${shown(after)}`];
}

/** What an import changes, as lines for a terminal: nothing in them is taken as a command by it. */
export function describeChanges(changes: readonly ConfigurationDifference[]): string[] {
  return changes.flatMap(({ kind, name, change, before, after }) => {
    const head = `${sign[change]} ${kind.replaceAll('_', ' ')} ${shown(name)}`;
    const lines = change === 'updated' ? differences(before, after) : [];
    const left = lines.length - maxLines;
    return [head, ...lines.slice(0, maxLines), ...(left > 0 ? [`    … and ${left} fields more`] : [])];
  });
}
