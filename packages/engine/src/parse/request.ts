import { inflate, urlDecode } from '../decode/index.ts';
import { type BodyContext, parseBody } from './body.ts';
import { isBeyondAscii } from './charset.ts';
import { parseCookies } from './cookies.ts';
import { headerName, type NotedHeader } from './header-names.ts';
import type { InspectedRequest } from './inspected-request.ts';
import { fromLatin1, latin1 } from './latin1.ts';
import type { InspectionLimits } from './limits.ts';
import type { MultipartPart } from './multipart.ts';
import { parsePairs } from './pairs.ts';
import type { Oddity, ParsedRequest } from './parsed-request.ts';
import { readableTexts } from './readable.ts';
import { joinRepeats, maySplitSyntax } from './repeats.ts';
import { type FirstLook, noLook, type Part, type Sink, type Skim, type Value } from './value.ts';

const plain: readonly string[] = [];
const urlDecoded = ['urlDecode'] as const;
const inflated = ['inflate'] as const;

/**
 * Takes a request apart, within the limits. Never throws, whatever the request holds.
 * @param skim what of it is to be passed over; absent: nothing
 */
export function parseRequest(
  request: InspectedRequest,
  limits: InspectionLimits,
  skim?: Skim,
): ParsedRequest {
  const oddities = new Set<Oddity>();
  const receivers = receiversOf(limits, oddities, skim);
  const { values, keep, sink, remainder, look } = receivers;
  const question = request.target.indexOf('?');
  const path = question < 0 ? request.target : request.target.slice(0, question);
  const query = question < 0 ? '' : request.target.slice(question + 1);
  keep({ part: 'path', name: '', isName: false, text: path, source: request.target, at: 0, decoders: plain });
  readSegments(path, keep);
  const maySplitInQuery = maySplitSyntax(query);
  if (query !== '') {
    const options = { from: question + 1, look: maySplitInQuery ? noLook : look };
    remainder(parsePairs(request.target, 'query', sink, options), 'query');
  }
  if (request.headers.length > limits.maxHeaders) oddities.add('headers over limit');
  const { headers, brokenHeader } = readHeaders(request, receivers);
  const files: MultipartPart[] = [];
  const { body, undone, sent } = readBody(request, headers, limits, oddities);
  // Servers differ in which one they take where it is said twice.
  const contentType = headers.get('content-type')?.join(', ') ?? '';
  const truncated = oddities.has('body over limit');
  if (body !== '' && isBeyondAscii(contentType)) oddities.add('unknown charset');
  const { method } = request;
  const context = {
    method,
    contentType,
    limits,
    truncated,
    files,
    odd: (oddity: Oddity) => oddities.add(oddity),
  };
  const maySplitInForm = takeApart(body, undone, receivers, context);
  values.push(...joinRepeats(values, maySplitInQuery, maySplitInForm));
  if (sent !== undefined) readAsSent(sent, receivers, context);
  return {
    ...{ values, path, query, headers, body, files, oddities },
    ...(sent !== undefined && { sent }),
    ...(brokenHeader && { brokenHeader }),
  };
}

type Reading = Pick<BodyContext, 'method' | 'contentType' | 'limits' | 'truncated' | 'files' | 'odd'>;

/** @returns whether pieces of a form may be an attack together, see {@link maySplitSyntax} */
function takeApart(body: string, undone: readonly string[], receivers: Receivers, reading: Reading): boolean {
  const { keep, sink, remainder, look } = receivers;
  let maySplit: boolean | undefined;
  parseBody(body, {
    ...reading,
    sink: behind(undone, sink),
    keep: behind(undone, keep),
    remainder: (text, part) => remainder(text, part, undone),
    look,
    lookInForm: () => {
      maySplit ??= maySplitSyntax(body);
      return maySplit ? noLook : look;
    },
  });
  return maySplit ?? false;
}

/**
 * Reads a compressed body as a server takes it that does not decompress, as most do not: each text that stands amid the
 * bytes, such as a file name in the header of gzip, what follows the end, or a block that is stored as it is. That they
 * are cut off by what is compressed is nothing odd.
 */
function readAsSent(sent: string, receivers: Receivers, reading: Reading): void {
  const { values } = receivers;
  const odd = (oddity: Oddity) => oddity.startsWith('malformed') || reading.odd(oddity);
  const before = values.length;
  let maySplit = false;
  for (const text of readableTexts(sent))
    maySplit = takeApart(text, plain, receivers, { ...reading, odd }) || maySplit;
  values.push(...joinRepeats(values.slice(before), false, maySplit));
}

/** A sink that is told what had to be undone before anything could be read. */
function behind(undone: readonly string[], sink: Sink): Sink {
  if (undone.length === 0) return sink;
  return (value) => sink({ ...value, decoders: [...undone, ...value.decoders] });
}

/** Where the readers of a request put what they find. */
interface Receivers {
  readonly values: Value[];
  readonly keep: Sink;
  readonly sink: Sink;
  readonly remainder: (text: string, part: Part, undone?: readonly string[]) => void;
  readonly look: FirstLook;
  readonly isKnown: Skim['isKnown'];
}

function receiversOf(limits: InspectionLimits, oddities: Set<Oddity>, skim: Skim | undefined): Receivers {
  const values: Value[] = [];
  let passedOver = 0;
  // For what other bounds keep few: headers, files. A flood of arguments must not put these out of sight.
  const keep: Sink = (value) => values.push(value) > 0;
  const sink: Sink = (value) => {
    if (values.length + passedOver < limits.maxArguments) return keep(value);
    oddities.add('arguments over limit');
    return false;
  };
  const pass = (): boolean => {
    passedOver += 1;
    if (values.length + passedOver <= limits.maxArguments) return true;
    oddities.add('arguments over limit');
    return false;
  };
  const isKnown: Skim['isKnown'] = (name, text) => {
    if (!skim?.isKnown(name, text)) return false;
    passedOver += 1;
    return true;
  };
  const remainder = (sent: string, part: Part, undone = plain) => {
    if (sent === '') return;
    const encoded = part === 'query' || part === 'form' || part === 'cookie';
    const text = encoded ? urlDecode(sent) : sent;
    values.push({
      part,
      name: '',
      isName: false,
      text,
      source: text,
      at: 0,
      decoders: text === sent ? undone : [...undone, ...urlDecoded],
    });
  };
  return { values, keep, sink, remainder, look: skim ? { at: skim.look, pass } : noLook, isKnown };
}

const maxSegments = 32;

/** `/items/1%20or%201=1`: a piece of the path that was encoded may be an argument, and is read as one too. */
function readSegments(path: string, sink: Sink): void {
  if (!/[%'"(]/.test(path)) return;
  for (const segment of path.split('/', maxSegments).slice(1)) {
    if (segment.length + 1 === path.length || !/[%'"(]/.test(segment)) continue;
    if (
      !sink({
        part: 'path',
        name: 'segment',
        isName: false,
        text: segment,
        source: segment,
        at: 0,
        decoders: plain,
      })
    )
      return;
  }
}

type ReadHeaders = Pick<ParsedRequest, 'brokenHeader' | 'headers'>;

function readHeaders(request: InspectedRequest, receivers: Receivers): ReadHeaders {
  const { keep, sink, remainder, look, isKnown } = receivers;
  const headers = new Map<NotedHeader, string[]>();
  let brokenHeader: ParsedRequest['brokenHeader'];
  for (const [sent, text] of request.headers) {
    const { name, noted, isCommon } = headerName(sent);
    if (noted !== undefined) {
      const before = headers.get(noted);
      if (before) before.push(text);
      else headers.set(noted, [text]);
    }
    if (name === 'cookie') remainder(parseCookies(text, sink, look), 'cookie');
    else if (name === 'referer') readReferer(text, receivers);
    else if (text.length > 2 && isKnown(name, text)) {
      // What is known to be harmless holds no line break.
      if (isCommon) continue;
    } else if (text.length > 2)
      keep({ part: 'header', name, isName: false, text, source: text, at: 0, decoders: plain });
    if (lineBreak.test(text)) brokenHeader ??= { name, value: text };
    // Every name that a browser or proxy sends is a token; anything else is worth a look, and names that rules ask for.
    if (isCommon || plainName.test(name)) continue;
    keep({ part: 'header', name, isName: true, text: sent, source: sent, at: 0, decoders: plain });
    if (noToken.test(name)) brokenHeader ??= { name, value: name };
  }
  return { headers, ...(brokenHeader && { brokenHeader }) };
}

const lineBreak = /[\r\n\0]/;
/** A name that tells nothing by itself. `camel…` and `acunetix-…` do: see `probe-inner-message` and `probe-tool-header`. */
const plainName = /^(?!camel|acunetix-)[\w-]*$/;
/** The colon of HTTP/2's own fields stands first. RFC 9113 §8.3. */
const noToken = /(?!^:)[\x00-\x20:\x7f]/;

/** A page's address repeats that page's own query: its parameters are read as parameters. */
function readReferer(text: string, { keep, look, isKnown }: Receivers): void {
  const question = text.indexOf('?');
  const page = question < 0 ? text : text.slice(0, question);
  const path = /^https?:\/\/[^/?#\s]*/i.exec(page)?.[0].length ?? 0;
  const pagePath = page.slice(path);
  if (pagePath.length > 1 && !isKnown('referer', pagePath))
    keep({
      part: 'header',
      name: 'referer',
      isName: false,
      text: pagePath,
      source: text,
      at: path,
      decoders: plain,
    });
  if (question < 0) return;
  parsePairs(
    text,
    'header',
    (value) => keep({ ...value, name: value.name === '' ? 'referer' : `referer.${value.name}` }),
    { from: question + 1, look },
  );
}

interface ReadBody {
  readonly body: string;
  readonly undone: readonly string[];
  /** the same before it was decompressed, where it was */
  readonly sent?: string;
}

function readBody(
  request: InspectedRequest,
  headers: ParsedRequest['headers'],
  limits: InspectionLimits,
  oddities: Set<Oddity>,
): ReadBody {
  if (!request.body || request.body.length === 0) return { body: '', undone: plain };
  const bytes = request.body.slice(0, limits.maxBodyBytes);
  if (request.bodyTruncated || request.body.length > limits.maxBodyBytes) oddities.add('body over limit');
  const coding = codingOf(headers.get('content-encoding'));
  if (coding === '') return { body: asText(bytes), undone: plain };
  if (!/^(?:x-)?gzip$|^deflate$/.test(coding)) {
    oddities.add('unknown compression');
    return { body: asText(bytes), undone: plain };
  }
  const { bytes: plainBytes, end } = inflate(
    typeof bytes === 'string' ? fromLatin1(bytes) : bytes,
    limits.maxBodyBytes,
  );
  if (end === 'bounded' || request.bodyTruncated) {
    oddities.add('body over limit');
    oddities.add('inflation over limit');
  }
  if (end === 'malformed' && !request.bodyTruncated) oddities.add('malformed compression');
  return plainBytes.length > 0
    ? { body: latin1(plainBytes), undone: inflated, sent: asText(bytes) }
    : { body: asText(bytes), undone: plain };
}

/** All that the body was coded with, in order; several lines are one list, and `identity` is none: RFC 9110 §8.4. */
function codingOf(lines: readonly string[] | undefined): string {
  if (lines === undefined) return '';
  const codings = lines.join(',').toLowerCase().split(',');
  return codings
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .join(', ');
}

function asText(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : latin1(body);
}
