import type { Exchange } from '../exchange/index.ts';

/**
 * Passes 103 Early Hints on, of which only `Link` is for browsers. Clients of HTTP/1.0 know no such answer, and a
 * `Link` that cannot be read is left out: hints may be lost, an answer may not.
 * @param headers of the upstream's 103, names and values in turn
 * @see RFC 8297
 */
export function sendEarlyHints(exchange: Exchange, headers: readonly string[]): void {
  const { response, request, http2 } = exchange;
  if (exchange.closed || response.headersSent) return;
  const links: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() === 'link') links.push(headers[i + 1] ?? '');
  }
  if (links.length === 0) return;
  try {
    if (http2) http2.additionalHeaders({ ':status': 103, link: links.join(', ') });
    else if (request.httpVersionMinor > 0) response.writeEarlyHints({ link: links });
  } catch {
    // Node reads `Link` strictly and throws; the answer itself is still to come.
  }
}
