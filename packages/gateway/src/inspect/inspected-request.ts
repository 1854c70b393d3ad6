import type { HeaderField, InspectedRequest } from '@portcullis/engine';
import type { Exchange } from '../exchange/index.ts';
import type { Prefix } from './body-prefix.ts';

/** The request as the engine reads it: the very bytes that the upstream will get. */
export function inspectedRequest(exchange: Exchange, prefix: Prefix | undefined): InspectedRequest {
  const raw = exchange.rawHeaders;
  const headers: HeaderField[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? '']);
  const base = {
    method: exchange.method,
    target: exchange.target,
    httpVersion: exchange.http2 ? '2' : exchange.request.httpVersion,
    scheme: exchange.scheme,
    headers,
    clientIp: exchange.clientIp,
    // With a port or in other letters the header is not what the operator wrote.
    ownHost: exchange.isNamedHost && exchange.head.host === exchange.host,
  };
  if (prefix === undefined || !('bytes' in prefix) || prefix.bytes.length === 0) return base;
  // Text already, for Buffer turns bytes into latin1 natively and the engine cannot.
  return { ...base, body: prefix.bytes.toString('latin1'), bodyTruncated: prefix.kind === 'part' };
}
