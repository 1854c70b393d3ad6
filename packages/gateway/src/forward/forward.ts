import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange/index.ts';
import { describeFailure, Relay, type RelayOptions } from './relay.ts';
import { upstreamHeaders } from './request-headers.ts';
import type { Upstream } from './upstream.ts';

export interface ForwardOptions extends RelayOptions {
  /** sent instead of the client's Host */
  readonly host?: string | undefined;
  /** the request's whole body where it was read before; absent streams what the client still sends */
  readonly wholeBody?: Buffer | undefined;
}

/**
 * Sends a request on to its upstream and streams the answer back. Never throws: what goes wrong is told to
 * `onFailure`.
 */
export function forward(exchange: Exchange, upstream: Upstream, options: ForwardOptions): void {
  const relay = new Relay(exchange, options);
  exchange.response.once('close', () => relay.clientClosed());
  const headers = upstreamHeaders(exchange, { host: options.host });
  let body: Buffer | Readable | null = null;
  if (options.wholeBody !== undefined) {
    body = options.wholeBody;
    if (exchange.head.contentLength === undefined) headers.push('content-length', String(body.length));
  } else if (exchange.hasBody) {
    body = exchange.request;
    exchange.sendContinue();
  }
  try {
    upstream.pool.dispatch({ path: exchange.target, method: exchange.method, headers, body }, relay);
  } catch (error) {
    options.onFailure(describeFailure(error instanceof Error ? error : new Error(String(error))), false);
  }
}
