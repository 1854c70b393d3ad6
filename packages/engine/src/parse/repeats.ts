import type { Value } from './value.ts';

const decoders: readonly string[] = ['urlDecode', 'joinRepeats'];

/** Without any of these a joined text tells nothing that its pieces did not. */
const syntax = /['"`<>(){}*;|\\]|--/;
/** The same before decoding. */
const encodedSyntax = /['"`<>(){}*;|\\]|--|%(?:2[2789abd]|3[bce]|5c|60|7[bcd])/i;

const longest = 8192;

/**
 * A parameter that comes several times reaches some applications as one text, joined by commas (ASP, ASP.NET, arrays of
 * JavaScript), so that an attack can be cut
 * in pieces that are none, with a comment around each comma.
 * @param query whether what they were read from may hold syntax, see {@link maySplitSyntax}
 * @param form likewise
 * @returns one value for each parameter of the query or a form that comes more than once and holds syntax
 * @see Carettoni, di Paola: HTTP Parameter Pollution, OWASP AppSec 2009
 */
export function joinRepeats(values: readonly Value[], query: boolean, form: boolean): readonly Value[] {
  if (!query && !form) return none;
  return [...(query ? joined(values, 'query') : none), ...(form ? joined(values, 'form') : none)].filter(
    ({ text }) => syntax.test(text),
  );
}

/** Whether pieces of an encoded text can be an attack together: most hold no syntax, so that none of it is in the values. */
export function maySplitSyntax(text: string): boolean {
  return text !== '' && encodedSyntax.test(text);
}

const none: readonly Value[] = [];

function joined(values: readonly Value[], part: 'query' | 'form'): Iterable<Value> {
  let once: Map<string, Value> | undefined;
  let several: Map<string, Value> | undefined;
  for (const value of values) {
    const { name } = value;
    if (value.part !== part || value.isName || name === '') continue;
    once ??= new Map();
    const before = several?.get(name) ?? once.get(name);
    if (before === undefined) {
      once.set(name, value);
      continue;
    }
    if (before.text.length > longest) continue;
    const text = `${before.text},${value.text}`;
    several ??= new Map();
    several.set(name, { ...value, text, source: text, at: 0, decoders });
  }
  return several?.values() ?? none;
}
