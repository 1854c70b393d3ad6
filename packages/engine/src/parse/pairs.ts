import { percentDecode, plusToSpaces } from '../decode/index.ts';
import type { Part, Sink, Value } from './value.ts';

const decoded = ['urlDecode'] as const;
const plain: readonly string[] = [];

/**
 * Reads `a=1&b=2` as names and values, each percent-decoded once. Repeats are kept; a piece without `=` is a
 * value without a name, since that is how it reaches an application.
 * @param from where in the text they begin
 * @returns the text from where the sink wanted no more; empty where it took all
 * @see WHATWG URL §5.1
 */
export function parsePairs(text: string, part: Part, sink: Sink, from = 0): string {
  const spaced = text.includes('+', from) ? plusToSpaces(text) : text;
  let start = from;
  while (start <= text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (end > start && !readPair(spaced, start, end, part, sink, spaced !== text)) return text.slice(start);
    start = end + 1;
  }
  return '';
}

/** @param spaced whether plus signs were made spaces in the text */
function readPair(
  text: string,
  start: number,
  end: number,
  part: Part,
  sink: Sink,
  spaced: boolean,
): boolean {
  const equals = text.indexOf('=', start);
  if (equals < 0 || equals >= end) return sink(read(text, start, end, part, '', false, spaced));
  const name = read(text, start, equals, part, '', true, spaced);
  if (!sink(name)) return false;
  return equals + 1 === end || sink(read(text, equals + 1, end, part, name.name, false, spaced));
}

/** One piece of a pair, as it reads decoded; a name is called by itself. */
function read(
  text: string,
  start: number,
  end: number,
  part: Part,
  named: string,
  isName: boolean,
  spaced: boolean,
): Value {
  const raw = text.slice(start, end);
  const piece = percentDecode(raw);
  const stands = piece === raw;
  return {
    part,
    name: isName ? piece : named,
    isName,
    text: piece,
    source: stands ? text : piece,
    at: stands ? start : 0,
    decoders: stands && !(spaced && raw.includes(' ')) ? plain : decoded,
  };
}
