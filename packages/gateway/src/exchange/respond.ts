import type { Exchange } from './exchange.ts';
import { lowerName } from './head.ts';
import { lingerAtClose } from './linger.ts';

/**
 * Starts the answer with raw headers, names and values in turn, repeats kept.
 * Over HTTP/2 repeats are gathered, for its API takes one entry a name.
 */
export function writeHead(exchange: Exchange, status: number, headers: string[]): void {
  exchange.status = status;
  exchange.onAnswer(exchange);
  const { response } = exchange;
  if (exchange.keepsType) exchange.answeredType = firstValue(headers, 'content-type');
  if (exchange.extraHeaders.length > 0) headers.push(...exchange.extraHeaders);
  if (!exchange.http2) {
    response.writeHead(status, headers);
    return;
  }
  // Of a head that was refused before: nothing of the upstream's may stand on a page of ours.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const gathered: Record<string, string | string[]> = Object.create(null);
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = (headers[i] ?? '').toLowerCase();
    const value = headers[i + 1] ?? '';
    if (name === 'connection') continue; // RFC 9113 §8.2.2
    const before = gathered[name];
    if (before === undefined) gathered[name] = value;
    else gathered[name] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  response.writeHead(status, gathered);
}

function firstValue(headers: readonly string[], name: string): string | undefined {
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (lowerName(headers[i] ?? '') === name) return headers[i + 1];
  return undefined;
}

/** Bytes of an unread request body that are worth reading to keep the connection: more closes it. */
const maxDrainBytes = 256 * 1024;

/**
 * Answers with a whole text of our own. An unread request body is read and dropped while it is small, so that
 * the client gets to read the answer; a large or endless one closes the connection.
 */
export function respond(exchange: Exchange, status: number, headers: string[], body: string): void {
  const { response, request } = exchange;
  if (exchange.closed || response.headersSent) return;
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Length', String(bytes));
  const announced = Number(exchange.head.contentLength ?? Number.NaN);
  const unread = exchange.hasBody && !request.readableEnded;
  if (unread && !(announced <= maxDrainBytes) && !exchange.http2) {
    headers.push('Connection', 'close');
  }
  writeHead(exchange, status, headers);
  if (unread && exchange.http2) response.once('finish', () => exchange.http2?.close());
  else if (unread) lingerAtClose(request.socket);
  // Node drops a body that nobody began to read; of one that was looked into, the rest would stay in the way of the
  // next request, and over HTTP/2 keep its stream and connection for good.
  if (unread) request.resume();
  if (exchange.method === 'HEAD') response.end();
  else {
    exchange.bytesOut += bytes;
    response.end(body);
  }
}
