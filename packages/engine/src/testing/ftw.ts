import { base64DecodeExt, utf8Bytes } from '../decode/index.ts';
import type { HeaderField, InspectedRequest } from '../parse/index.ts';

/** One request of the Core Rule Set's regression tests, and what is expected of it. */
export interface FtwCase {
  /** `942100-3`, with the number of its stage where it has several */
  readonly title: string;
  readonly request: InspectedRequest;
  /** rule ids that must be in the log */
  readonly present: readonly number[];
  /** rule ids that must not be */
  readonly absent: readonly number[];
  /** what the server as a whole is expected to answer, which a rule set alone does not decide */
  readonly status: readonly number[];
  readonly expectsError: boolean;
}

type Node = Readonly<Record<string, unknown>>;

/** Reads one parsed test file. Throws on a shape that the tests do not have, so that no case is lost unseen. */
export function readFtwFile(document: unknown): FtwCase[] {
  return list(node(document)['tests']).flatMap((test) => {
    const { test_title: title, stages } = node(test);
    const all = list(stages);
    return all.map((entry, index) => {
      const { input, output } = node(node(entry)['stage']);
      const name = String(title) + (all.length > 1 ? `#${index + 1}` : '');
      return { title: name, ...readOutput(node(output)), request: readInput(node(input)) };
    });
  });
}

function node(value: unknown): Node {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a mapping');
  return Object.fromEntries(Object.entries(value));
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value;
}

function readOutput(output: Node): Omit<FtwCase, 'title' | 'request'> {
  const status = output['status'];
  return {
    present: idsIn(output['log_contains']),
    absent: idsIn(output['no_log_contains']),
    status: status === undefined ? [] : Array.isArray(status) ? status.map(Number) : [Number(status)],
    expectsError: output['expect_error'] === true,
  };
}

function idsIn(pattern: unknown): number[] {
  if (pattern === undefined || pattern === null) return [];
  const ids = [...String(pattern).matchAll(/\b(\d{6})\b/g)].map(([, id]) => Number(id));
  if (ids.length === 0) throw new Error(`no rule id in ${String(pattern)}`);
  return ids;
}

function readInput(input: Node): InspectedRequest {
  const encoded = input['encoded_request'];
  if (typeof encoded === 'string') return parseRaw(base64DecodeExt(encoded));
  const raw = input['raw_request'];
  if (typeof raw === 'string') return parseRaw(toBytes(raw));
  const headers: HeaderField[] = Object.entries(
    input['headers'] === undefined ? {} : node(input['headers']),
  ).map(([name, value]) => [toBytes(name), toBytes(value === null ? '' : String(value))]);
  const plain = input['stop_magic'] === true;
  const body = readData(input['data'], headers, plain);
  return {
    method: input['method'] === undefined ? 'GET' : String(input['method']),
    target: input['uri'] === undefined ? '/' : toBytes(String(input['uri'])),
    httpVersion: input['version'] === undefined ? '1.1' : String(input['version']).replace(/^HTTP\//, ''),
    scheme: 'http',
    ...frame(headers, body),
    clientIp: '127.0.0.1',
  };
}

/** Framing as a server resolves it before rules run: a chunked body has no Content-Length (RFC 9112 §6.3). */
function frame(
  headers: readonly HeaderField[],
  body: string,
): Omit<InspectedRequest, 'method' | 'target' | 'httpVersion' | 'scheme' | 'clientIp'> {
  const chunked = headers.some(
    ([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value),
  );
  const kept = chunked ? headers.filter(([name]) => !/^content-length$/i.test(name)) : headers;
  const text = chunked ? unchunk(body) : body;
  return text === '' ? { headers: kept } : { headers: kept, body: text };
}

function unchunk(body: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const size = /^([0-9a-fA-F]+)[^\r\n]*\r\n/.exec(body.slice(at));
    if (!size || Number.parseInt(size[1] ?? '0', 16) === 0) return text;
    const start = at + size[0].length;
    const end = start + Number.parseInt(size[1] ?? '0', 16);
    text += body.slice(start, end);
    at = end + 2;
  }
}

/** The test tool fills in what a client would send, unless a test stops it. */
function readData(data: unknown, headers: HeaderField[], plain: boolean): string {
  if (data === undefined || data === null) return '';
  let text = toBytes(Array.isArray(data) ? data.join('\r\n') : String(data));
  if (plain) return text;
  const has = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  if (text !== '' && has('content-type') === undefined) {
    headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  }
  if (has('content-type') === 'application/x-www-form-urlencoded') text = encodeForm(text);
  if (text !== '' && has('content-length') === undefined)
    headers.push(['Content-Length', String(text.length)]);
  return text;
}

/** Text that holds no escapes yet is encoded pair by pair; pairs without a value are dropped by the tool. */
function encodeForm(text: string): string {
  if (/%[0-9a-fA-F]{2}/.test(text)) return text;
  const pairs = text
    .split('&')
    .map((piece) => [piece, piece.indexOf('=')] as const)
    .filter(([piece, equals]) => equals >= 0 && equals + 1 < piece.length)
    .map(([piece, equals]) => [piece.slice(0, equals), piece.slice(equals + 1)]);
  if (pairs.length === 0) return text;
  return pairs.map((pair) => pair.map(encodePart).join('=')).join('&');
}

function encodePart(text: string): string {
  return text.replace(/[^A-Za-z0-9_.~-]/g, (char) => {
    if (char === ' ' || char === '+') return '+';
    return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function parseRaw(text: string): InspectedRequest {
  const blank = /\r?\n\r?\n/.exec(text);
  const head = blank ? text.slice(0, blank.index) : text;
  const body = blank ? text.slice(blank.index + blank[0].length) : '';
  const [line = '', ...rest] = head.split(/\r?\n/);
  const [method = '', target = '', version = ''] = line.split(' ');
  return {
    method,
    target,
    httpVersion: version.replace(/^HTTP\//, ''),
    scheme: 'http',
    headers: rest.map((header): HeaderField => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon), header.slice(colon + 1).trim()];
    }),
    clientIp: '127.0.0.1',
    ...(body === '' ? {} : { body: body }),
  };
}

/** A YAML text as its UTF-8 bytes, one char one byte. */
function toBytes(text: string): string {
  return [...text].map((char) => utf8Bytes(char.codePointAt(0) ?? 0)).join('');
}
