import { base64Decode, urlDecode } from '../decode/index.ts';

/** One part of a multipart body, as sent. */
export interface MultipartPart {
  /** field name; empty when the part has none */
  readonly name: string;
  /** every file name it gives, from `filename` and `filename*`, in order; empty for a plain field */
  readonly filenames: readonly string[];
  readonly contentType: string;
  /** its whole head, for what hides in repeated or odd headers */
  readonly head: string;
  readonly content: string;
}

export interface MultipartOutcome {
  readonly parts: readonly MultipartPart[];
  /** what stands before the first boundary and behind the closing one, where some parsers read on */
  readonly outside: string;
  /** there are more than the bound: of those beyond it only the content was read */
  readonly tooMany: boolean;
  /** a closing boundary was seen and every part had a head; else the text must be inspected as it stands too */
  readonly wellFormed: boolean;
}

/** The boundary that a Content-Type header names; undefined when it names none. @see RFC 2046 §5.1.1 */
export function boundaryOf(contentType: string): string | undefined {
  const found = /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;,"]{1,200}))/i.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/**
 * Splits a multipart body. Lines may end in LF alone; a part without an end runs to the end of the text; parts behind
 * the closing boundary are parts too, as they are for PHP. Never throws.
 * @param maxParts later parts are taken for fields without a name, whatever their heads say, so that a flood costs little
 * @see RFC 7578
 */
export function parseMultipart(body: string, boundary: string, maxParts: number): MultipartOutcome {
  const mark = `--${boundary}`;
  const parts: MultipartPart[] = [];
  let wellFormed = false;
  let headless = false;
  let at = body.indexOf(mark);
  let outside = at < 0 ? '' : body.slice(0, at);
  while (at >= 0) {
    const start = at + mark.length;
    const next = body.indexOf(mark, start);
    const end = next < 0 ? body.length : next;
    at = next;
    if (body.startsWith('--', start)) {
      wellFormed = true;
      outside += body.slice(start + 2, end);
      continue;
    }
    const part = readPart(body.slice(start, end), parts.length < maxParts);
    if (!part) headless = true;
    else parts.push(part);
  }
  return { parts, outside, tooMany: parts.length > maxParts, wellFormed: wellFormed && !headless };
}

function readPart(text: string, withHead: boolean): MultipartPart | undefined {
  const blank = /\r?\n\r?\n/.exec(text);
  if (!blank) return undefined;
  const content = text.slice(blank.index + blank[0].length).replace(/\r?\n$/, '');
  if (!withHead) return { name: '', filenames: [], contentType: '', head: '', content };
  const head = text.slice(0, blank.index).trim();
  const disposition = headerOf(head, 'content-disposition');
  return {
    name: parameterOf(disposition, 'name') ?? '',
    filenames: filenamesOf(disposition),
    contentType: headerOf(head, 'content-type'),
    head,
    content,
  };
}

/** @returns a header of a part by its lower-case name; empty where it has none */
export function headerOf(head: string, name: string): string {
  for (const line of head.split(/\r?\n(?![ \t])/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return '';
}

function parameterOf(header: string, name: string): string | undefined {
  for (const [, key = '', quoted, bare] of parameters(header)) {
    if (key.toLowerCase() === name) return quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '';
  }
  return undefined;
}

function filenamesOf(header: string): string[] {
  const names: string[] = [];
  for (const [, key = '', quoted, bare] of parameters(header)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '';
    if (/^filename$/i.test(key)) {
      names.push(value);
      const words = encodedWords(value);
      if (words !== value) names.push(words);
    }
    // RFC 8187: charset'language'percent-encoded
    else if (/^filename\*/i.test(key)) names.push(urlDecode(value.replace(/^[^']{0,40}'[^']{0,40}'/, '')));
  }
  return names;
}

/** `=?utf-8?Q?=2E=2E?=`, of RFC 2047, which has no place in a form and which Commons FileUpload decodes there. */
function encodedWords(value: string): string {
  if (!value.includes('=?')) return value;
  return value.replace(
    /=\?[\w-]{1,40}\?([bq])\?([^?]{0,2000})\?=(?:\s{1,9}(?==\?))?/gi,
    (_word, encoding: string, text: string) =>
      /b/i.test(encoding) ? base64Decode(text) : fromQuotedPrintable(text.replaceAll('_', ' ')),
  );
}

/** RFC 2045 §6.7 */
export function fromQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What a file says of itself beside its name and an ordinary type: applications keep it, log it and show it. */
export function notesOf(head: string): readonly (readonly [name: string, text: string])[] {
  return head.split(/\r?\n(?![ \t])/).flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const text = line.slice(colon + 1).trim();
    return name === 'content-disposition' || ordinaryType.test(text) ? [] : [[name, text] as const];
  });
}

const ordinaryType = /^[\w.+-]{0,80}(?:\/[\w.+-]{1,80})?(?:;\s{0,9}[\w-]{1,20}="?[\w.-]{1,40}"?){0,8}$/;

function parameters(header: string): Iterable<RegExpMatchArray> {
  return header
    .slice(0, 4096)
    .matchAll(/;\s{0,20}([\w*-]{1,40})\s{0,20}=\s{0,20}(?:"((?:[^"\\]|\\[\s\S])*)"?|([^;\s]*))/g);
}
