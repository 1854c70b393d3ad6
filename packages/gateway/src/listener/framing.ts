import type { Exchange } from '../exchange/index.ts';
import { hostName } from '../route/index.ts';

/** Why a request is refused before anything else looks at it. */
export interface Refusal {
  readonly status: 400 | 405 | 431;
  /** one sentence for the operator */
  readonly reason: string;
}

const refuse = (reason: string): Refusal => ({ status: 400, reason });
const digits = /^\d{1,15}$/;
/** RFC 3986 §3.3 and §3.4 without `#`: what stays of a target that both ends read alike. */
const plainTarget = /^\/[\x21\x22\x24-\x7e\x80-\xff]*$/;
const forwardingNames =
  /^(?:forwarded|host|connection|content-length|transfer-encoding|x-request-id|x-forwarded-.*|x-real-ip)$/i;

/**
 * Checks what Node's parser leaves open and brings the target to origin form. The parser already refuses
 * CL with TE, differing CL, folded headers, bare CR and unknown methods; the rules here are those where two
 * servers could still read one request in two ways.
 * @see RFC 9112 §3, §6.3 and §11.2
 */
export function checkFraming(exchange: Exchange): Refusal | undefined {
  const { head, method } = exchange;
  if (method === 'TRACE' || method === 'TRACK')
    return { status: 405, reason: `Method ${method} is not served` };
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

/** `Connection:` naming an end-to-end header makes the next hop drop what we checked or set. */
function namedHop(connection: string | undefined): string | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  for (const token of connection.split(',')) {
    const name = token.trim();
    if (forwardingNames.test(name)) return `Connection names ${name}`;
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
