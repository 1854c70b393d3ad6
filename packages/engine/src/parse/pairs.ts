import { urlDecode } from '../decode/index.ts';
import type { Part, Sink } from './value.ts';

const decoded = ['urlDecode'] as const;
const plain: readonly string[] = [];

/**
 * Reads `a=1&b=2` as names and values, each percent-decoded once. Repeats are kept; a piece without `=` is a
 * value without a name, since that is how it reaches an application.
 * @returns the text from where the sink wanted no more; empty where it took all
 * @see WHATWG URL §5.1
 */
export function parsePairs(text: string, part: Part, sink: Sink): string {
  let start = 0;
  while (start <= text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (end > start && !readPair(text, start, end, part, sink)) return text.slice(start);
    start = end + 1;
  }
  return '';
}

function readPair(text: string, start: number, end: number, part: Part, sink: Sink): boolean {
  const equals = text.indexOf('=', start);
  const hasName = equals >= 0 && equals < end;
  const rawValue = text.slice(hasName ? equals + 1 : start, end);
  const value = urlDecode(rawValue);
  const valueDecoders = value === rawValue ? plain : decoded;
  if (!hasName) return sink({ part, name: '', isName: false, text: value, decoders: valueDecoders });
  const rawName = text.slice(start, equals);
  const name = urlDecode(rawName);
  if (!sink({ part, name, isName: true, text: name, decoders: name === rawName ? plain : decoded }))
    return false;
  return value === '' || sink({ part, name, isName: false, text: value, decoders: valueDecoders });
}
