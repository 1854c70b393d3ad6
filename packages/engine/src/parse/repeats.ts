import type { Value } from './value.ts';

const decoders: readonly string[] = ['urlDecode', 'joinRepeats'];

/** Without any of these a joined text tells nothing that its pieces did not. */
const syntax = /['"`<>(){}*;|\\]|--/;

const longest = 8192;

/**
 * A parameter that comes several times reaches some applications as one text, joined by commas (ASP, ASP.NET, arrays of
 * JavaScript), so that an attack can be cut
 * in pieces that are none, with a comment around each comma.
 * @returns one value for each parameter of the query or a form that comes more than once and holds syntax
 * @see Carettoni, di Paola: HTTP Parameter Pollution, OWASP AppSec 2009
 */
export function joinRepeats(values: readonly Value[]): Value[] {
  const once = new Map<string, Value>();
  let joined: Map<string, Value> | undefined;
  for (const value of values) {
    if (value.isName || value.name === '' || (value.part !== 'query' && value.part !== 'form')) continue;
    const key = value.part === 'query' ? `?${value.name}` : value.name;
    const before = joined?.get(key) ?? once.get(key);
    if (before === undefined) {
      once.set(key, value);
      continue;
    }
    if (before.text.length > longest) continue;
    const text = `${before.text},${value.text}`;
    joined ??= new Map();
    joined.set(key, { ...value, text, source: text, at: 0, decoders });
  }
  if (joined === undefined) return [];
  return [...joined.values()].filter(({ text }) => syntax.test(text));
}
