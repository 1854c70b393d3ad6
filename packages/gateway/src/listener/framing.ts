import type { Exchange } from '../exchange/index.ts';
import { hostName } from '../route/index.ts';

/** Why a request is refused before anything else looks at it. */
export interface Refusal {
  readonly page: 'badRequest' | 'methodRefused' | 'headTooLarge';
  /** one sentence for the operator */
  readonly reason: string;
}

const refuse = (reason: string): Refusal => ({ page: 'badRequest', reason });
const digits = /^\d{1,15}$/;
/** RFC 3986 §3.3 and §3.4 without `#`: what stays of a target that both ends read alike. */
const plainTarget = /^\/[\x21\x22\x24-\x7e\x80-\xff]*$/;
/**
 * Fields for every recipient on the way. The next hop drops what `Connection` names, which would take from the upstream
 * by what its request was judged, as the type and coding of the body, or what the gateway says itself.
 * @see RFC 9110 §7.6.1
 */
const endToEnd = new RegExp(
  `^(?:${`accept(?:-.*)? access-control-.* authorization cache-control cdn-loop connection content-.* cookie date depth
  destination dnt expect forwarded from host if(?:-.*)? lock-token max-forwards origin overwrite pragma prefer priority
  range referer save-data sec-.* slug transfer-encoding upgrade-insecure-requests user-agent via x-csrf-token x-file-?name
  x-forwarded-.* x-http-.* x-method-override x-original-.* x-real-ip x-request.*`
    .split(/\s+/)
    .join('|')})$`,
  'i',
);

/** of one request, as over HTTP/2; browsers send twenty */
export const maxFields = 512;

/**
 * Checks what Node's parser leaves open and brings the target to origin form. The parser already refuses
 * CL with TE, differing CL, folded headers, bare CR and unknown methods; the rules here are those where two
 * servers could still read one request in two ways.
 * @see RFC 9112 §3, §6.3 and §11.2
 */
export function checkFraming(exchange: Exchange): Refusal | undefined {
  const { head, method } = exchange;
  if (exchange.rawHeaders.length > 2 * maxFields)
    return { page: 'headTooLarge', reason: `More than ${maxFields} header fields` };
  if (method === 'TRACE' || method === 'TRACK')
    return { page: 'methodRefused', reason: `Method ${method} is not served` };
  if (exchange.http2 === undefined && exchange.request.httpVersionMajor !== 1)
    return refuse('A version of HTTP that this connection does not speak');
  const { namedScheme } = exchange;
  if (namedScheme !== undefined && namedScheme !== 'https' && namedScheme !== 'http')
    return refuse('A scheme other than http and https');
  if (head.hostCount > 1) return refuse('More than one Host header');
  if (head.contentLengthCount > 1) return refuse('More than one Content-Length');
  if (head.contentLength !== undefined && !digits.test(head.contentLength))
    return refuse('Odd Content-Length');
  if (head.transferEncodingCount > 0) {
    if (head.contentLengthCount > 0) return refuse('Content-Length beside Transfer-Encoding');
    if (head.transferEncodingCount > 1 || head.transferEncoding?.toLowerCase() !== 'chunked')
      return refuse('Transfer-Encoding other than chunked');
    if (exchange.request.httpVersionMinor === 0 && exchange.request.httpVersionMajor === 1)
      return refuse('Transfer-Encoding in HTTP/1.0');
  }
  if (head.expect !== undefined && head.expect.toLowerCase() !== '100-continue')
    return refuse('Unknown expectation');
  const problem = namedHop(head.connection);
  if (problem) return refuse(problem);
  return checkTarget(exchange);
}

function namedHop(connection: string | undefined): string | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  for (const token of connection.split(',')) {
    const name = token.trim();
    if (endToEnd.test(name)) return `Connection names ${name}`;
  }
  return undefined;
}

function checkTarget(exchange: Exchange): Refusal | undefined {
  const { head } = exchange;
  let authority = head.host;
  if (!exchange.target.startsWith('/') && !(exchange.target === '*' && exchange.method === 'OPTIONS')) {
    // Absolute form: must be accepted (RFC 9112 §3.2.2), but a second opinion about the host is refused.
    const absolute = /^https?:\/\/([^/?#]+)([/?].*)?$/i.exec(exchange.target);
    if (!absolute) return refuse('Request target is neither a path nor a URL');
    const [, named = '', rest = '/'] = absolute;
    if (head.host !== undefined && named.toLowerCase() !== head.host.toLowerCase())
      return refuse('Host in the request target differs from the Host header');
    authority = named;
    exchange.target = rest.startsWith('?') ? `/${rest}` : rest;
  }
  if (exchange.target !== '*' && !plainTarget.test(exchange.target))
    return refuse('Invalid character in the request target');
  if (authority === undefined || authority === '') {
    return exchange.request.httpVersion === '1.0' ? undefined : refuse('No Host header');
  }
  const host = hostName(authority);
  if (host === undefined) return refuse('Invalid Host header');
  exchange.host = host;
  return undefined;
}
