import { percentDecode } from '../decode/index.ts';
import type { Sink, Value } from './value.ts';

const decoded = ['urlDecode'] as const;
const plain: readonly string[] = [];

/**
 * Reads a Cookie header. Values are percent-decoded (`+` stays), as most frameworks do.
 * @returns the text from where the sink wanted no more; empty where it took all
 * @see RFC 6265 §4.2.1
 */
export function parseCookies(header: string, sink: Sink): string {
  let start = 0;
  while (start < header.length) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon < 0 ? header.length : semicolon;
    while (header[start] === ' ') start += 1;
    const equals = header.indexOf('=', start);
    const hasName = equals >= 0 && equals < end;
    const name = hasName ? header.slice(start, equals) : '';
    const raw = header.slice(hasName ? equals + 1 : start, end);
    const text = percentDecode(raw);
    if (name !== '' && !sink(cookie(name, true, name, header, start, plain))) return header.slice(start);
    const value =
      text === raw
        ? cookie(name, false, text, header, end - raw.length, plain)
        : cookie(name, false, text, text, 0, decoded);
    if (text !== '' && !sink(value)) return header.slice(start);
    start = end + 1;
  }
  return '';
}

function cookie(
  name: string,
  isName: boolean,
  text: string,
  source: string,
  at: number,
  decoders: readonly string[],
): Value {
  return { part: 'cookie', name, isName, text, source, at, decoders };
}
