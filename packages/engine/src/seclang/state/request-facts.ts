import { type HeaderField, type InspectedRequest, latin1 } from '../../parse/index.ts';
import {
  type NamedValue,
  type ParsedBody,
  parseCookies,
  parseJson,
  parseMultipart,
  parseUrlEncoded,
  parseXml,
} from '../body/index.ts';

/** How a request's body is read. */
export type BodyProcessor = 'URLENCODED' | 'MULTIPART' | 'XML' | 'JSON' | '';

/** A request cut into what rules look at. */
export interface RequestFacts {
  /** origin form: an absolute target without its scheme and host */
  readonly uri: string;
  /** the part before `?`, percent-decoded once */
  readonly filename: string;
  readonly query: string;
  readonly argsGet: readonly NamedValue[];
  readonly cookies: readonly NamedValue[];
  /** latin1 */
  readonly bodyText: string;
}

/** Cuts the head of a request. */
export function readRequest(request: InspectedRequest): RequestFacts {
  const uri = request.target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const mark = uri.indexOf('?');
  const query = mark < 0 ? '' : uri.slice(mark + 1);
  return {
    uri,
    filename: percentDecode(mark < 0 ? uri : uri.slice(0, mark)),
    query,
    argsGet: parseUrlEncoded(query),
    cookies: headerValues(request.headers, 'cookie').flatMap(parseCookies),
    bodyText: request.body ? toLatin1(request.body) : '',
  };
}

/** A path holds no `+` for a space, hence not the decoder of forms. */
function percentDecode(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Every value of a header, in order of arrival. */
export function headerValues(headers: readonly HeaderField[], name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/**
 * How the recommended configuration of ModSecurity reads a body of this type; a rule may choose otherwise.
 */
export function processorFor(contentType: string): BodyProcessor {
  if (/^\s*application\/x-www-form-urlencoded/i.test(contentType)) return 'URLENCODED';
  if (/^\s*multipart\/form-data/i.test(contentType)) return 'MULTIPART';
  if (/^\s*(?:application|text)\/(?:[\w.+-]+\+)?xml/i.test(contentType)) return 'XML';
  if (/^\s*application\/(?:[\w.+-]+\+)?json/i.test(contentType)) return 'JSON';
  return '';
}

/** Runs a body processor. */
export function readBody(processor: BodyProcessor, contentType: string, text: string): ParsedBody {
  if (text === '') return { args: [] };
  switch (processor) {
    case 'URLENCODED':
      return { args: parseUrlEncoded(text) };
    case 'MULTIPART':
      return parseMultipart(contentType, text);
    case 'XML':
      return parseXml(text);
    case 'JSON':
      return parseJson(text);
    case '':
      return { args: [] };
  }
}

/** Bytes as text, one char one byte. */
export function toLatin1(bytes: string | Uint8Array): string {
  return typeof bytes === 'string' ? bytes : latin1(bytes);
}
