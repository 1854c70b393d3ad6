import type { AuditEntry, EventMatch } from '@portcullis/contract/events';
import { typedText } from '@portcullis/contract/events';
import { parameterOf } from './allow-values.ts';

/** What inspection decides anew when it is tried; addresses, rates and challenges are not part of a test. */
const triable = ['detection', 'custom_rule'];

/** @returns whether the request of an event can be written down again to try it */
export function canBeTried(entry: AuditEntry): boolean {
  const inspected = entry.kind !== undefined && triable.includes(entry.kind);
  return inspected && entry.siteId !== undefined && (entry.path?.startsWith('/') ?? false);
}

/**
 * The request of an event as tools print it. An event keeps the request line, the host, the user agent and what
 * matched, so the other headers and fields of the body are not in it.
 */
export function triedRequest(entry: AuditEntry): string {
  const matches = entry.matches ?? [];
  const cookies = [...valuesOf(matches, 'cookie')].map(([name, value]) => `${name}=${cookieValue(value)}`);
  const body = bodyOf(matches);
  const headers = new Map([
    ['host', entry.host],
    ['user-agent', entry.userAgent],
    ['content-type', body?.type],
    ['cookie', cookies.join('; ')],
    ...valuesOf(matches, 'header'),
  ]);
  const lines = [...headers].flatMap(([name, value]) => (value ? [`${name}: ${oneLine(value)}`] : []));
  return [`${entry.method ?? 'GET'} ${entry.path ?? '/'} HTTP/1.1`, ...lines, '', body?.text ?? ''].join(
    '\n',
  );
}

/** What matched in a part of the request, by name: the first value of each. */
function valuesOf(matches: readonly EventMatch[], part: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of matches) {
    const name = match.target.startsWith(`${part}:`) ? parameterOf(match) : undefined;
    if (name !== undefined && !found.has(name)) found.set(name, typedText(match.value));
  }
  return found;
}

function bodyOf(matches: readonly EventMatch[]): { type: string; text: string } | undefined {
  const form = valuesOf(matches, 'form');
  if (form.size > 0) {
    const fields = [...form].map((pair) => pair.map(encodeURIComponent).join('='));
    return { type: 'application/x-www-form-urlencoded', text: fields.join('&') };
  }
  const json = valuesOf(matches, 'json');
  return json.size === 0 ? undefined : { type: 'application/json', text: jsonText(treeOf(json)) };
}

/** Names are the attacker's: in a map `__proto__` is a name like any other. */
type Tree = Map<string, Tree | string>;

function treeOf(values: ReadonlyMap<string, string>): Tree {
  const root: Tree = new Map();
  for (const [path, value] of values) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let at = root;
    for (const key of keys) {
      const below = at.get(key);
      const next: Tree = below instanceof Map ? below : new Map();
      at.set(key, next);
      at = next;
    }
    at.set(last, value);
  }
  return root;
}

function jsonText(tree: Tree | string): string {
  if (typeof tree === 'string') return JSON.stringify(tree);
  const keys = [...tree.keys()];
  if (keys.every((key) => /^\d+$/.test(key))) return `[${[...tree.values()].map(jsonText).join(',')}]`;
  return `{${[...tree].map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value)}`).join(',')}}`;
}

const cookieValue = (value: string) => (/[;\s]/.test(value) ? encodeURIComponent(value) : value);
const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ');
