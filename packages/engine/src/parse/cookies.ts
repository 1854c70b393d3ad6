import { percentDecode } from '../decode/index.ts';
import { type Look, mayNameSaml, noLook, type Sink, unlooked, type Value } from './value.ts';

const decoded = ['urlDecode'] as const;
const plain: readonly string[] = [];

/**
 * Reads a Cookie header. Values are percent-decoded (`+` stays), as most frameworks do.
 * @param look tells which pieces are passed over
 * @returns the text from where the sink wanted no more; empty where it took all
 * @see RFC 6265 §4.2.1
 */
export function parseCookies(header: string, sink: Sink, look = noLook): string {
  let start = 0;
  let percent = -1;
  while (start < header.length) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon < 0 ? header.length : semicolon;
    while (header.charCodeAt(start) === 32) start += 1;
    const equals = header.indexOf('=', start);
    const hasName = equals >= 0 && equals < end;
    if (hasName && equals > start) {
      const found = look.at(header, start, equals, 'cookie', true);
      if (!(found ? sink(cookieName(header, start, equals, found)) : look.pass())) return header.slice(start);
    }
    const from = hasName ? equals + 1 : start;
    if (from < end) {
      if (percent < from) percent = nextPercent(header, from);
      // What is encoded is looked at once it is decoded.
      const isEncoded = percent < end;
      const found = isEncoded ? unlooked : look.at(header, from, end, 'cookie', false);
      const isGiven = found !== undefined || (hasName && mayNameSaml(header, start, equals));
      const name = isGiven && hasName ? header.slice(start, equals) : '';
      const isTaken = isGiven ? sink(cookieValue(name, header, from, end, isEncoded, found)) : look.pass();
      if (!isTaken) return header.slice(start);
    }
    start = end + 1;
  }
  return '';
}

function nextPercent(header: string, from: number): number {
  const at = header.indexOf('%', from);
  return at < 0 ? header.length : at;
}

function cookieName(header: string, start: number, end: number, look: Look): Value {
  const name = header.slice(start, end);
  return { part: 'cookie', name, isName: true, text: name, source: header, at: start, decoders: plain, look };
}

function cookieValue(
  name: string,
  header: string,
  start: number,
  end: number,
  isEncoded: boolean,
  look: Look | undefined,
): Value {
  const raw = header.slice(start, end);
  const text = isEncoded ? percentDecode(raw) : raw;
  return text === raw
    ? { part: 'cookie', name, isName: false, text, source: header, at: start, decoders: plain, look }
    : { part: 'cookie', name, isName: false, text, source: text, at: 0, decoders: decoded, look };
}
