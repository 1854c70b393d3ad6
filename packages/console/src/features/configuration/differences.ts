/** One value that differs between two states of a thing. */
export interface Difference {
  /** dotted, list positions from 1: `cors.allowed_origins.2` */
  path: string;
  /** as text; undefined where it did not exist */
  before: string | undefined;
  after: string | undefined;
}

/** fields that every save changes and that say nothing */
const noise: ReadonlySet<string> = new Set(['version', 'updated_at', 'created_at']);

/**
 * @param before the thing as it stood, null where it did not exist
 * @param after the thing as it stands, null where it is gone
 * @returns every leaf that differs, in the order of the thing; of a thing that came or went, all its leaves
 */
export function differences(before: unknown, after: unknown): Difference[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  // What belongs to one field stands together, also where a part of it is new.
  const fields = [...new Set(paths.map(fieldOf))];
  return paths
    .toSorted((a, b) => fields.indexOf(fieldOf(a)) - fields.indexOf(fieldOf(b)))
    .map((path): Difference => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((one) => one.before !== one.after);
}

function leavesOf(value: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (part: unknown, path: string): void => {
    if (Array.isArray(part)) {
      if (part.every(isPlain)) found.set(path, part.map(textOf).join('\n'));
      else part.forEach((entry, index) => void walk(entry, join(path, String(index + 1))));
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, entry] of Object.entries(part)) {
        if (path !== '' || !noise.has(key)) walk(entry, join(path, key));
      }
    } else if (part !== null && part !== undefined) found.set(path, textOf(part));
  };
  walk(value, '');
  // An empty list or text is no more than the absence of one.
  for (const [path, text] of found) if (text === '') found.delete(path);
  return found;
}

const fieldOf = (path: string): string => path.split('.', 1)[0] ?? '';
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const textOf = (value: unknown): string => String(value);
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
