import type { NamedValue } from './parsed-body.ts';

/** One piece of an XML text. */
export type XmlToken =
  | { readonly kind: 'text' | 'cdata'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: readonly NamedValue[];
      readonly closed: boolean;
    }
  /** a tag, comment or the like that never ends: what is left of the text */
  | { readonly kind: 'broken'; readonly text: string };

/**
 * Cuts an XML text at its tags, in one pass: each byte is looked at a bounded number of times, whatever stands
 * there. Comments, processing instructions and the document type are passed over.
 */
export function readXmlTokens(text: string): XmlToken[] {
  const tokens: XmlToken[] = [];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    const end = start < 0 ? text.length : start;
    if (end > at) tokens.push({ kind: 'text', text: text.slice(at, end) });
    if (start < 0) break;
    at = readMarkup(text, start, tokens);
    if (at >= 0) continue;
    tokens.push({ kind: 'broken', text: text.slice(start) });
    break;
  }
  return tokens;
}

/** @returns where it ends, or -1 where it never does */
function readMarkup(text: string, at: number, tokens: XmlToken[]): number {
  const after = (mark: string, from: number) => {
    const found = text.indexOf(mark, from);
    return found < 0 ? -1 : found + mark.length;
  };
  if (text.startsWith('<!--', at)) return after('-->', at + 4);
  if (text.startsWith('<?', at)) return after('?>', at + 2);
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(']]>', at + 9);
    if (end >= 0) tokens.push({ kind: 'cdata', text: text.slice(at + 9, end - 3) });
    return end;
  }
  if (text.startsWith('<!', at)) return endOfDeclaration(text, at + 2);
  if (text.startsWith('</', at)) {
    const end = after('>', at + 2);
    if (end >= 0) tokens.push({ kind: 'close', name: text.slice(at + 2, end - 1).trim() });
    return end;
  }
  if (!/[^\s/>!?<]/.test(text.charAt(at + 1))) {
    // A `<` that begins nothing is text, though not of a sound document.
    tokens.push({ kind: 'text', text: '<' });
    return at + 1;
  }
  return readTag(text, at, tokens);
}

/** `<!DOCTYPE a [ … ]>`: what stands in brackets may hold a `>`. */
function endOfDeclaration(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '[') {
      at = text.indexOf(']', at);
      if (at < 0) return -1;
    }
    at += 1;
  }
  return -1;
}

function readTag(text: string, start: number, tokens: XmlToken[]): number {
  let at = endOfName(text, start + 1);
  const name = text.slice(start + 1, at);
  const attributes: NamedValue[] = [];
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '>') {
      tokens.push({ kind: 'open', name, attributes, closed: text[at - 1] === '/' });
      return at + 1;
    }
    if (isSpace(char) || char === '/' || char === '=' || char === '"' || char === "'") at += 1;
    else at = readAttribute(text, at, attributes);
  }
  return -1;
}

/** @returns where it ends; the text's end where a quote does not */
function readAttribute(text: string, start: number, into: NamedValue[]): number {
  let at = endOfName(text, start);
  const name = text.slice(start, at);
  at = endOfSpace(text, at);
  if (text[at] !== '=') return at;
  at = endOfSpace(text, at + 1);
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'") return at;
  const end = text.indexOf(quote, at + 1);
  if (end < 0) return text.length;
  into.push([name, text.slice(at + 1, end)]);
  return end + 1;
}

/** White space ends a name where {@link isSpace} passes over it, else a reader would stand still between the two. */
function endOfName(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[ \t\r\n=/>"']/.test(text.charAt(at))) at += 1;
  return at;
}

function endOfSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charAt(at))) at += 1;
  return at;
}

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';
