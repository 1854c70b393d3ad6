import { jsonUnescape } from '../json.ts';
import { goesOn } from '../value.ts';
import { longestPiece, overlap, type RestContext, type RestReader } from './reader.ts';

const decoders = ['json'] as const;
const unescaped = ['json', 'jsDecode'] as const;

/** What stands between the strings of JSON: punctuation, numbers and literals. */
const onlyJson = /^[\s\d,:{}[\].a-zA-Z+-]*$/;

/** as far as one looks for the colon that makes a string a key */
const lookAhead = 32;

/**
 * Reads on in JSON, string by string and without regard to what encloses them: from within a document brackets tell
 * nothing. A value stands under the key before it. What is no JSON between strings is given as it stands.
 * @returns a reader, which keeps where it is
 */
export function jsonReader(): RestReader {
  let inString = false;
  let key = '';
  let isCut = false;

  const give = (sent: string, isName: boolean, { sink, remainder }: RestContext) => {
    if (isName) key = sent;
    const escaped = sent.includes('\\');
    const piece = escaped ? jsonUnescape(sent) : sent;
    const text = isCut ? goesOn + piece : piece;
    if (text.length < 2) return;
    const taken = sink({
      part: 'json',
      name: key,
      isName,
      text,
      source: text,
      at: 0,
      decoders: escaped ? unescaped : decoders,
    });
    if (!taken) remainder(text, 'json');
  };

  /** @returns where the next string begins; -1 where none does */
  const skipTo = (text: string, from: number, context: RestContext): number => {
    const quote = text.indexOf('"', from);
    const between = text.slice(from, quote < 0 ? text.length : quote);
    if (!onlyJson.test(between)) context.remainder(between, 'body');
    return quote < 0 ? -1 : quote + 1;
  };

  return (text, last, context) => {
    let at = 0;
    for (;;) {
      if (!inString) {
        at = skipTo(text, at, context);
        if (at < 0) return '';
        inString = true;
      }
      const end = endOfString(text, at);
      const known = last || (end >= 0 && end + lookAhead < text.length);
      if (!known && text.length - at <= longestPiece) return text.slice(at);
      if (end < 0) {
        give(text.slice(at), false, context);
        isCut = true;
        return last ? '' : text.slice(startOfOverlap(text));
      }
      give(text.slice(at, end), /^\s*:/.test(text.slice(end + 1, end + 1 + lookAhead)), context);
      at = end + 1;
      inString = false;
      isCut = false;
    }
  };
}

/** @returns where the string closes; -1 where it goes on */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && isEscaped(text, end, from)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charCodeAt(at - slashes - 1) === 92) slashes += 1;
  return slashes % 2 === 1;
}

/** No escape is cut in two. */
function startOfOverlap(text: string): number {
  const start = text.length - overlap;
  return isEscaped(text, start, 0) ? start + 1 : start;
}
