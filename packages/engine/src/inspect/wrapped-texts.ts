import { base64DecodeExt, hexByte, hexDecode, inflate } from '../decode/index.ts';
import { fromLatin1, latin1, type Value } from '../parse/index.ts';
import { inAlphabet, isPrintable, readLength, readShare, reads } from './base64-texts.ts';

/** A text that a value holds in another form, and what was undone to read it. */
export interface Wrapped {
  readonly text: string;
  readonly decoders: readonly string[];
}

const none: readonly Wrapped[] = [];

/** The first bytes of gzip (31, 139, 8) in base64. */
export const gzipHead = 'H4sI';

/**
 * What a value holds as hexadecimal digits, or compressed and in base64: gzip anywhere in it, zlib where it begins,
 * bare deflate in the messages of SAML (SAML bindings 2.0 §3.4.4.1). Only what reads as text, or begins as a serialised
 * object does, and 16 KB of each at most.
 * @param mayHoldGzip false where {@link gzipHead} is known not to stand in it
 * @returns nothing for most values, at the price of a look at the first characters
 */
export function wrappedTexts(
  { text, source, at: start, name }: Pick<Value, 'text' | 'source' | 'at' | 'name'>,
  mayHoldGzip: boolean,
): readonly Wrapped[] {
  if (beginsAsHex(source, start, start + text.length) && hexDigits.test(text)) {
    const decoded = hexDecode(text.slice(hexStart(text, 0), 2 * maxInflated));
    return [{ text: decoded, decoders: ['hexDecode'] }];
  }
  const mayOpen = source.charCodeAt(start) === 101 && zlibHead.test(text);
  if (mayOpen || namesSaml(name)) return asWrapped(inflated(text, 0));
  let at = mayHoldGzip ? text.indexOf(gzipHead) : -1;
  if (at < 0) return none;
  const found: Wrapped[] = [];
  for (let count = 0; at >= 0 && count < maxInflations; count += 1) {
    found.push(...asWrapped(inflated(text, at)));
    at = text.indexOf(gzipHead, at + gzipHead.length);
  }
  return found;
}

/** Whether {@link wrappedTexts} can find something in a piece of a text that has no {@link gzipHead} and no name of note. */
export function mayBeWrapped(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === 101 && zlibHead.test(text.slice(start, start + 3))) return true;
  return beginsAsHex(text, start, end);
}

/** Whether a name says that its value is compressed, see {@link wrappedTexts}. */
export function namesSaml(name: string): boolean {
  // The length first: names of JSON are put together when somebody looks at their characters.
  return (name.length === 11 || name.length === 12) && samlMessage.test(name);
}

const maxInflated = 16384;
const maxInflations = 4;
/** The first bytes of zlib (120, and one of 1, 156, 218). */
const zlibHead = /^e(?:J[w-z]|N[o-r]|A[E-H])/;
const samlMessage = /^SAML(?:Request|Response)$/;
const serialised = /^(?:\xac\xed\x00\x05|\x80[\x02-\x05])/;

function asWrapped(text: string | undefined): readonly Wrapped[] {
  return text === undefined ? none : [{ text, decoders: ['base64Decode', 'inflate'] }];
}

function inflated(text: string, start: number): string | undefined {
  let end = start;
  while (end < text.length && inAlphabet(text, end)) end += 1;
  const { bytes } = inflate(fromLatin1(base64DecodeExt(text.slice(start, end))), maxInflated);
  const found = latin1(bytes);
  return found.length > 1 && (reads(found) || serialised.test(found)) ? found : undefined;
}

const minHex = 16;

/**
 * Whether a piece of a text begins as pairs of digits that read as text, at least eight. Sessions and checksums are such
 * digits and don't read, which the first few tell.
 */
function beginsAsHex(text: string, from: number, end: number): boolean {
  const start = hexStart(text, from);
  const digits = end - start;
  if (digits < minHex || (digits & 1) === 1) return false;
  const judged = Math.min(digits / 2, readLength);
  let odd = 0;
  for (let at = start; at < start + judged * 2; at += 2) {
    const byte = hexByte(text, at);
    if (byte < 0) return false;
    if (!isPrintable(byte)) odd += 1;
    if (judged - odd < judged * readShare) return false;
  }
  return true;
}

const hexDigits = /^(?:0[xX])?[\da-fA-F]+$/;

function hexStart(text: string, from: number): number {
  return text.charCodeAt(from) === 48 && (text.charCodeAt(from + 1) | 32) === 120 ? from + 2 : from;
}
