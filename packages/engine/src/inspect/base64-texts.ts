import { base64DecodeExt, sixBits } from '../decode/index.ts';

const minRun = 12;
/** fewer characters hold nothing of interest */
export const shortestBase64 = minRun;
const maxRuns = 16;

/**
 * The texts that base64 runs in a text decode to, between two places of it. A run is a dozen characters or more; it
 * counts only when what it holds reads as text, which random bytes and ordinary words don't.
 */
export function base64Texts(text: string, from = 0, to = text.length): readonly string[] {
  let found: string[] | undefined;
  let joined = from;
  for (let start = from; start + minRun <= to; ) {
    // From the right, as Boyer and Moore do: one look passes over most words.
    const foreign = lastForeign(text, start);
    if (foreign >= start) {
      start = foreign + 1;
      continue;
    }
    let end = start + minRun;
    while (end < to && inAlphabet(text, end)) end += 1;
    // Once for each group of lines, so that many lines cost no more than their length.
    const lines = start < joined ? end : endOfLines(text, end, to);
    joined = Math.max(joined, lines);
    const whole = lines > end ? decodedRun(text, start, lines) : undefined;
    const decoded = whole ?? decodedRun(text, start, end);
    start = (whole === undefined ? end : lines) + 1;
    if (decoded === undefined) continue;
    if (found) found.push(decoded);
    else found = [decoded];
    if (found.length === maxRuns) break;
  }
  return found ?? none;
}

/** Whether {@link base64Texts} may find something: whether any run begins as a text, or as what Ruby writes. */
export function mayHoldBase64(text: string, from: number, to: number): boolean {
  for (let start = from; start + minRun <= to; ) {
    const foreign = lastForeign(text, start);
    if (foreign >= start) {
      start = foreign + 1;
      continue;
    }
    if (headReads(text, start) || text.startsWith('BA', start)) return true;
    start += minRun;
    while (start < to && inAlphabet(text, start)) start += 1;
  }
  return false;
}

/** The last of a dozen places that holds a character outside the alphabet; the place before them where none does. */
function lastForeign(text: string, start: number): number {
  let at = start + minRun - 1;
  while (at >= start && inAlphabet(text, at)) at -= 1;
  return at;
}

/** Where a run that is broken into lines ends (RFC 2045 §6.8): decoders pass over the breaks. */
function endOfLines(text: string, end: number, to: number): number {
  let at = end;
  for (;;) {
    let next = at;
    while (next < to && (text.charCodeAt(next) === 13 || text.charCodeAt(next) === 10)) next += 1;
    if (next === at || next >= to || !inAlphabet(text, next)) return at;
    at = next;
    while (at < to && inAlphabet(text, at)) at += 1;
  }
}

/** What a run decodes to, where it reads as text or begins as a serialised object does. */
function decodedRun(text: string, start: number, end: number): string | undefined {
  const isMarshal = text.charCodeAt(start) === 66 && marshalHead.test(text.slice(start, start + 3));
  if (!isMarshal && !headReads(text, start)) return undefined;
  const decoded = base64DecodeExt(text.slice(start, end));
  return isMarshal || reads(decoded) ? decoded : undefined;
}

/** The first bytes of Ruby's serialised objects (4, 8); those of Java, .NET and Python are known in base64 too. */
const marshalHead = /^BA[g-j]/;

const none: readonly string[] = [];

/** Whether the character at a place is one of base64 or base64url. */
export function inAlphabet(text: string, at: number): boolean {
  return (sixBits[text.charCodeAt(at) & 255] as number) >= 0;
}

/** Whether the first nine bytes are all printable: asked of every run, so nothing is decoded for it. */
function headReads(text: string, start: number): boolean {
  for (let at = start; at < start + minRun; at += 4) {
    const bits =
      ((sixBits[text.charCodeAt(at) & 255] as number) << 18) |
      ((sixBits[text.charCodeAt(at + 1) & 255] as number) << 12) |
      ((sixBits[text.charCodeAt(at + 2) & 255] as number) << 6) |
      (sixBits[text.charCodeAt(at + 3) & 255] as number);
    if (!isPrintable(bits >> 16) || !isPrintable((bits >> 8) & 255) || !isPrintable(bits & 255)) return false;
  }
  return true;
}

/** how many bytes tell whether a text reads as one, and which part of them must be printable */
export const readLength = 256;
export const readShare = 0.9;

/** Whether nine of ten of the first bytes are printable. */
export function reads(text: string): boolean {
  const length = Math.min(text.length, readLength);
  let good = 0;
  for (let at = 0; at < length; at += 1) if (isPrintable(text.charCodeAt(at))) good += 1;
  return good >= length * readShare;
}

/** ASCII that a text may hold. */
export function isPrintable(code: number): boolean {
  return (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9;
}
