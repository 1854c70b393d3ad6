import { percentDecode, plusToSpaces } from '../decode/index.ts';
import {
  type FirstLook,
  type Look,
  mayNameSaml,
  noLook,
  type Part,
  type Sink,
  unlooked,
  type Value,
} from './value.ts';

const decoded = ['urlDecode'] as const;
const plain: readonly string[] = [];

/**
 * Reads `a=1&b=2` as names and values, each percent-decoded once. Repeats are kept; a piece without `=` is a
 * value without a name, since that is how it reaches an application.
 * @param options.from where in the text they begin
 * @param options.look tells which pieces are passed over; absent: none
 * @returns the text from where the sink wanted no more; empty where it took all
 * @see WHATWG URL §5.1
 */
export function parsePairs(
  text: string,
  part: Part,
  sink: Sink,
  options: { readonly from?: number; readonly look?: FirstLook | undefined } = {},
): string {
  const { from = 0, look = noLook } = options;
  const isSpaced = text.includes('+', from);
  const spaced = isSpaced ? plusToSpaces(text) : text;
  const reading: Reading = { text: spaced, part, sink, isSpaced, look, percent: -1 };
  let start = from;
  while (start <= text.length) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (end > start && !readPair(reading, start, end)) return text.slice(start);
    start = end + 1;
  }
  return '';
}

interface Reading {
  readonly text: string;
  readonly part: Part;
  readonly sink: Sink;
  /** whether plus signs were made spaces in the text */
  readonly isSpaced: boolean;
  readonly look: FirstLook;
  /** where the next percent sign stands: pieces with none are not encoded */
  percent: number;
}

/** @returns false where the sink wanted no more */
function readPair(reading: Reading, start: number, end: number): boolean {
  const { text, part, look, sink } = reading;
  const equals = text.indexOf('=', start);
  if (equals < 0 || equals >= end) {
    const isEncoded = holdsPercent(reading, start, end);
    const found = isEncoded ? unlooked : look.at(text, start, end, part, false);
    if (!found) return look.pass();
    return sink(read(reading, start, end, '', false, isEncoded, found));
  }
  let name: string | undefined;
  const isNameEncoded = holdsPercent(reading, start, equals);
  const inName = isNameEncoded ? unlooked : look.at(text, start, equals, part, true);
  if (inName) {
    const value = read(reading, start, equals, '', true, isNameEncoded, inName);
    if (!sink(value)) return false;
    ({ name } = value);
  } else if (!look.pass()) return false;
  if (equals + 1 === end) return true;
  const isEncoded = holdsPercent(reading, equals + 1, end);
  const found = isEncoded ? unlooked : look.at(text, equals + 1, end, part, false);
  const mayBeSaml = name === undefined ? mayNameSaml(text, start, equals) : mayNameSaml(name, 0, name.length);
  if (!found && !mayBeSaml) return look.pass();
  // What was passed over is not encoded, so it is its own name.
  return sink(read(reading, equals + 1, end, name ?? text.slice(start, equals), false, isEncoded, found));
}

function holdsPercent(reading: Reading, start: number, end: number): boolean {
  if (reading.percent < start) {
    const at = reading.text.indexOf('%', start);
    reading.percent = at < 0 ? reading.text.length : at;
  }
  return reading.percent < end;
}

/** One piece of a pair, as it reads decoded; a name is called by itself. */
function read(
  { text, part, isSpaced }: Reading,
  start: number,
  end: number,
  named: string,
  isName: boolean,
  isEncoded: boolean,
  look: Look | undefined,
): Value {
  const raw = text.slice(start, end);
  const piece = isEncoded ? percentDecode(raw) : raw;
  const stands = piece === raw;
  return {
    part,
    name: isName ? piece : named,
    isName,
    text: piece,
    source: stands ? text : piece,
    at: stands ? start : 0,
    decoders: stands && !(isSpaced && raw.includes(' ')) ? plain : decoded,
    look,
  };
}
