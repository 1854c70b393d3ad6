import { base64Decode, utf16File } from '../decode/index.ts';
import { isFileBody, isUntyped } from './file-signature.ts';
import { parseJson } from './json.ts';
import type { InspectionLimits } from './limits.ts';
import {
  boundaryOf,
  fromQuotedPrintable,
  headerOf,
  type MultipartPart,
  notesOf,
  parseMultipart,
} from './multipart.ts';
import { parsePairs } from './pairs.ts';
import type { Oddity } from './parsed-request.ts';
import { readableTexts } from './readable.ts';
import type { FirstLook, Part, Sink } from './value.ts';
import { parseXml } from './xml.ts';

/** What a request says of its body. */
export interface Declared {
  readonly method: string;
  readonly contentType: string;
}

/** What a body reader needs to know and where it puts what it finds. */
export interface BodyContext extends Declared {
  readonly limits: InspectionLimits;
  readonly truncated: boolean;
  readonly sink: Sink;
  /** takes what other bounds keep few, such as the parts of a form */
  readonly keep: Sink;
  /** takes what is left when the sink wants no more, and what no reader can take apart: few texts, so they count for nothing */
  readonly remainder: (text: string, part: Part) => void;
  readonly odd: (oddity: Oddity) => void;
  readonly files: MultipartPart[];
  /** tells which pieces are passed over */
  readonly look: FirstLook;
  /** the same of a form, where values that come under one name are read as one too */
  readonly lookInForm: () => FirstLook;
}

const plain: readonly string[] = [];

/**
 * Reads a body by what it is rather than by what it is called: the declared type says where to start, the
 * content decides. Whatever a reader can't take whole is inspected as it stands as well, so that a parser that
 * is more lenient than ours can't be fed behind our back.
 */
export function parseBody(sent: string, context: BodyContext): void {
  const body = withoutMark(sent);
  if (body === '') return;
  const { contentType } = context;
  if (readMultipart(body, context)) return;
  if (opensJson(body) && readJson(body, context)) return;
  if (isXml(body, contentType)) {
    context.remainder(body, 'document');
    parseXml(body, context.sink);
    return;
  }
  if (isFileBody(body, contentType)) {
    context.remainder(body, 'file');
    if (mayBeForm(context)) readAsForm(body, context);
    return;
  }
  for (const text of readableTexts(body)) {
    if (isForm(text, contentType)) readForm(text, context);
    else context.remainder(text, 'body');
  }
}

/** Some take what is posted without a type for a form, whatever its first bytes are: Rack does. */
export function mayBeForm({ method, contentType }: Declared): boolean {
  return method === 'POST' && isUntyped(contentType);
}

function readAsForm(body: string, context: BodyContext): void {
  for (const text of readableTexts(body)) if (text.includes('=')) readForm(text, context);
}

/** A byte order mark of UTF-8 is no part of what follows it. */
export function withoutMark(body: string): string {
  return body.startsWith('\xef\xbb\xbf') ? body.slice(3) : body;
}

/** @returns the boundary of a body that is multipart or looks like it */
export function multipartBoundary(body: string, contentType: string): string | undefined {
  if (!/multipart\//i.test(contentType) && !body.startsWith('--')) return undefined;
  return boundaryOf(contentType) ?? /^--([^\r\n]{1,200})\r?\n/.exec(body)?.[1];
}

/** Whether a body begins like a document of JSON. */
export function opensJson(body: string): boolean {
  const start = /\S/.exec(body.slice(0, 64))?.[0] ?? '';
  return start === '{' || start === '[';
}

/** By its type or its beginning. The types of office documents speak of XML, but what they name is an archive. */
export function isXml(body: string, contentType: string): boolean {
  return (
    (/xml/i.test(contentType) && !/openxmlformats/i.test(contentType)) ||
    /^\s*<(?:\?xml|!DOCTYPE|!ENTITY|[\w-]{1,40}:Envelope|methodCall)\b/i.test(body.slice(0, 300))
  );
}

/** By its type or its beginning: a name of ordinary characters, an equals sign, and no line that a form could not hold. */
export function isForm(body: string, contentType: string): boolean {
  return /x-www-form-urlencoded/i.test(contentType) || /^[^\s=&<>{}"']{1,100}=/.test(body);
}

function readForm(text: string, { sink, remainder, lookInForm }: BodyContext): void {
  remainder(parsePairs(text, 'form', sink, { look: lookInForm() }), 'form');
}

function readJson(body: string, { sink, odd, limits, truncated, look }: BodyContext): boolean {
  const outcome = parseJson(
    body,
    { part: 'json', name: '', decoders: plain, maxDepth: limits.maxDepth, look },
    sink,
  );
  if (outcome.tooDeep) odd('depth over limit');
  if (!outcome.wellFormed && !truncated) odd('malformed json');
  return outcome.wellFormed || (truncated && outcome.cut);
}

function readMultipart(body: string, context: BodyContext): boolean {
  const { contentType, limits, keep, remainder, odd, files, truncated } = context;
  const boundary = multipartBoundary(body, contentType);
  if (boundary === undefined) return false;
  const { parts, outside, wellFormed, tooMany } = parseMultipart(body, boundary, limits.maxParts);
  if (tooMany) odd('parts over limit');
  if (/\S/.test(outside)) remainder(outside, 'body');
  if (!truncated && (!wellFormed || ambiguousBoundary.test(contentType))) {
    odd('malformed multipart');
    remainder(body, 'body');
  }
  for (const part of parts) {
    if (part.name !== '')
      keep({
        part: 'multipart',
        name: part.name,
        isName: true,
        text: part.name,
        source: part.name,
        at: 0,
        decoders: plain,
      });
    for (const [name, text] of notesOf(part.head))
      keep({
        part: 'header',
        name: `${part.name}.${name}`,
        isName: false,
        text,
        source: text,
        at: 0,
        decoders: plain,
      });
    if (maybeField(part)) readField(part, context);
    if (part.filenames.length === 0) continue;
    files.push(part);
    // What a page sends as a blob of JSON has a file name, `blob` unless it gave one, and applications take it apart all the same.
    if (/json/i.test(part.contentType) || part.filenames.includes('blob')) readJsonField(part, context);
    for (const text of part.filenames)
      keep({ part: 'filename', name: part.name, isName: false, text, source: text, at: 0, decoders: plain });
    keepFile(part, context);
  }
  return parts.length > 0;
}

/** As the bytes that will be stored, and as who reads UTF-16 takes them. */
function keepFile({ name, content }: MultipartPart, { keep }: BodyContext): void {
  const file = { part: 'file', name, isName: false, at: 0 } as const;
  keep({ ...file, text: content, source: content, decoders: plain });
  const text = utf16File(content);
  if (text !== undefined) keep({ ...file, text, source: text, decoders: ['utf16Decode'] });
}

/** Named twice, or in the pieces of RFC 2231: parsers differ in which one they take. */
const ambiguousBoundary = /boundary\s*\*|boundary\s*=.*boundary\s*=/i;

/** An empty file name makes a file for some parsers and a field for others; so does a second disposition. */
function maybeField({ filenames, head }: MultipartPart): boolean {
  return (
    filenames.every((name) => name === '') || /content-disposition[\s\S]*\n\s*content-disposition/i.test(head)
  );
}

function readField(part: MultipartPart, context: BodyContext): void {
  const { name, content, contentType } = part;
  if (/json/i.test(contentType) && readJsonField(part, context)) return;
  for (const text of readableTexts(content))
    context.keep({ part: 'multipart', name, isName: false, text, source: text, at: 0, decoders: plain });
  const encoding = headerOf(part.head, 'content-transfer-encoding').toLowerCase();
  const decode = transferDecoders[encoding];
  if (decode === undefined) return;
  const text = decode(content);
  const decoders = [`${encoding} transfer encoding`];
  context.keep({ part: 'multipart', name, isName: false, text, source: text, at: 0, decoders });
}

/** RFC 2045 §6; RFC 7578 §4.7 deprecates them in forms, and parsers undo them all the same. */
const transferDecoders: Readonly<Record<string, ((text: string) => string) | undefined>> = {
  base64: (text) => base64Decode(text),
  'quoted-printable': fromQuotedPrintable,
};

function readJsonField({ name, content }: MultipartPart, context: BodyContext): boolean {
  const { sink, limits, look } = context;
  const json = { part: 'multipart' as Part, name, decoders: plain, maxDepth: limits.maxDepth, look };
  return parseJson(content, json, sink).wellFormed;
}
