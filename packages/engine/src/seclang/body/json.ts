import type { NamedValue, ParsedBody } from './parsed-body.ts';

const maxDepth = 64;
const maxValues = 10_000;

/**
 * Flattens a JSON body into arguments named by their path: `json.user.roles.0`.
 * @returns with `error` set when the text is no JSON, or is deeper or larger than any honest client sends
 */
export function parseJson(text: string): ParsedBody {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { args: [], error: 'JSON parsing error' };
  }
  const args: NamedValue[] = [];
  const complete = flatten(document, 'json', 0, args);
  return complete ? { args } : { args, error: 'JSON parsing error: depth or size limit' };
}

function flatten(value: unknown, name: string, depth: number, into: NamedValue[]): boolean {
  if (depth > maxDepth || into.length >= maxValues) return false;
  if (Array.isArray(value)) {
    return value.every((item, index) => flatten(item, `${name}.${index}`, depth + 1, into));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(([key, item]) => flatten(item, `${name}.${key}`, depth + 1, into));
  }
  into.push([name, value === null ? '' : toBytes(String(value))]);
  return true;
}

/** `\u20ac` in the text stands for UTF-8 bytes like any other character beyond latin1. */
function toBytes(text: string): string {
  return text.replace(/[\u0100-\uffff]+/g, (beyond) => {
    const escaped = encodeURIComponent(beyond.toWellFormed());
    return escaped.replace(/%(..)/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  });
}
