import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AccessLogFormat, SitePages } from '@portcullis/contract/sites';
import { socketAddress } from '../access/index.ts';
import type { Holder } from '../limits/index.ts';
import { type Head, lowerName, readHead } from './head.ts';

/** HTTP/2 comes through Node's compatibility API, which has the same shape; {@link fromHttp2} is its door. */
export type ClientRequest = IncomingMessage;
export type ClientResponse = ServerResponse;
export type Outcome = 'pass' | 'block' | 'challenge' | 'redirect';

/** What an exchange is counted in when it ends. */
export interface Tally {
  /** @param durationMs from the first byte to the last */
  record(exchange: Exchange, durationMs: number): void;
}

/** One request of a client and the answer to it, from the first byte to the last. */
export class Exchange {
  /** stands on our own pages, in the event and in the X-Request-Id that the upstream sees */
  readonly id: string = randomUUID();
  /** Unix time in milliseconds */
  readonly time: number = Date.now();
  /** monotonic milliseconds */
  readonly startedAt: number = performance.now();
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  /** names and values in turn as they came, HTTP/2's brought to the form that HTTP/1.1 has */
  readonly rawHeaders: readonly string[];
  readonly head: Head;
  readonly method: string;
  /** how the client came to us, or to the trusted proxy in front */
  scheme: 'http' | 'https';
  /** the stream of an HTTP/2 request */
  readonly http2: ServerHttp2Stream | undefined;
  /** who is at the other end of the socket */
  readonly peerIp: string;
  /** the peer, or the client behind trusted proxies */
  clientIp: string;
  /** what counts as one client, see {@link clientKey}; empty while it is not known */
  client = '';
  /** X-Forwarded-For as a trusted proxy sent it */
  forwardedChain: string | undefined;
  /** whether the peer is a trusted proxy */
  byProxy = false;
  /** origin form: `/a?b=c` */
  target: string;
  /** lower case, without port; empty where the request named none */
  host = '';
  /** whether the operator named this very host, and not one that a wildcard covers */
  isNamedHost = false;
  siteId: string | undefined;
  /** of its site; absent while none is known */
  counters: Tally | undefined;
  responseMode: 'html' | 'json' = 'html';
  /** the site's own words on pages of ours */
  pageTexts: SitePages | undefined;
  /** what the client got; 0 until an answer starts */
  status = 0;
  outcome: Outcome = 'pass';
  /** of the newest finding that names one */
  ruleId: string | undefined;
  /** how its site keeps it in its access log; absent where it keeps none */
  accessLog: AccessLogFormat | undefined;
  /** scheme, host and port of the upstream that was asked last */
  upstream: string | undefined;
  /** from asking it to the head of its answer; absent where there was none */
  upstreamMs: number | undefined;
  /** whether the answer's Content-Type is to be kept, as {@link answeredType} */
  keepsType = false;
  answeredType: string | undefined;
  /** body bytes each way */
  bytesIn = 0;
  bytesOut = 0;
  /** of bodies, held in this process's memory for inspection */
  heldBytes = 0;
  /** kept by the account of that memory */
  arrival: Holder['arrival'];
  /** headers that the answer carries whoever gives it: CORS, RateLimit, Strict-Transport-Security */
  readonly extraHeaders: string[] = [];

  /** what becomes of the request where a step of it throws; set by who begins it */
  onFault: (exchange: Exchange, error: unknown) => void = abandon;
  /** called when an answer begins, the upstream's or ours: the request is not asked for any more */
  onAnswer: (exchange: Exchange) => void = ignore;
  readonly #atEnd: (() => void)[] = [];

  /** @param source what a balancer says of the peer by PROXY protocol, in place of the socket's own word */
  constructor(request: ClientRequest, response: ClientResponse, scheme: 'http' | 'https', source?: string) {
    this.request = request;
    this.response = response;
    this.scheme = scheme;
    this.http2 =
      request.httpVersionMajor === 2 ? (request as unknown as Http2ServerRequest).stream : undefined;
    this.rawHeaders = this.http2 ? plainHeaders(request.rawHeaders) : request.rawHeaders;
    this.head = readHead(this.rawHeaders);
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    this.peerIp = source ?? socketAddress(request.socket.remoteAddress);
    this.clientIp = this.peerIp;
    // One listener for all that wait: each of its own would cost more than what it does.
    const end = () => {
      for (const then of this.#atEnd) then();
    };
    // Node's response to a HEAD over HTTP/2 says nothing of a stream that closes before the answer. Streams that
    // closed stay with their connection for a while, and would keep a listener.
    if (this.http2) this.http2.once('close', end);
    else response.on('close', end);
  }

  /**
   * Takes one step of the request's way. What a caller from outside calls back, such as a socket, a timer or a
   * promise, goes through here: a fault costs this one request, not the process with all others.
   */
  attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.onFault(this, error);
    }
  }

  /** To be called back once the answer is complete or the client gone, whatever comes first; in order of asking. */
  atEnd(then: () => void): void {
    this.#atEnd.push(then);
  }

  /** whether the request's framing announces a body */
  get hasBody(): boolean {
    const { contentLength, transferEncoding } = this.head;
    if (this.http2) return !this.http2.endAfterHeaders;
    return transferEncoding !== undefined || (contentLength !== undefined && contentLength !== '0');
  }

  /** what an HTTP/2 client wrote as `:scheme`; which one it is, the socket decides */
  get namedScheme(): string | undefined {
    return this.http2 ? (this.request as unknown as Http2ServerRequest).scheme : undefined;
  }

  /** @returns the first value of a header by its lower-case name */
  header(name: string): string | undefined {
    const raw = this.rawHeaders;
    for (let i = 0; i + 1 < raw.length; i += 2) if (lowerName(raw[i] ?? '') === name) return raw[i + 1];
    return undefined;
  }

  /** true once the client is gone or the answer is complete */
  get closed(): boolean {
    if (this.http2) return this.http2.closed || this.http2.destroyed || this.response.writableEnded;
    return this.response.closed || this.response.destroyed || this.response.writableEnded;
  }

  /** Asks a waiting client for its body: RFC 9110 §10.1.1. */
  sendContinue(): void {
    // A client of HTTP/1.0 would take it for the answer (RFC 9110 §10.1.1).
    const old = this.http2 === undefined && this.request.httpVersionMinor === 0;
    if (this.head.expect !== undefined && !old && !this.response.headersSent) this.response.writeContinue();
  }

  /** Ends the client's connection or stream where no honest end of the answer is possible. */
  abort(): void {
    if (this.http2) this.http2.close(constants.NGHTTP2_INTERNAL_ERROR);
    else this.response.destroy();
  }
}

const ignore = () => undefined;

/** One for all: a function made for each request and set as a property is born old, see docs/decisions/024. */
export const abandon = (exchange: Exchange) => exchange.abort();

/**
 * HTTP/2 headers as an HTTP/1.1 upstream will get them: `:authority` as Host, cookies in one field (RFC 9113
 * §8.2.3), no other pseudo-header. A Host that says the same as `:authority` is not repeated.
 */
function plainHeaders(raw: readonly string[]): string[] {
  const headers: string[] = [];
  const cookies: string[] = [];
  let authority: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    if (name === ':authority') authority = value;
    else if (name === 'cookie') cookies.push(value);
    else if (
      !name.startsWith(':') &&
      !(name === 'host' && value.toLowerCase() === authority?.toLowerCase())
    ) {
      headers.push(name, value);
    }
  }
  if (authority !== undefined) headers.unshift('host', authority);
  if (cookies.length > 0) headers.push('cookie', cookies.join('; '));
  return headers;
}

/** @returns an HTTP/2 request and its response under the names that HTTP/1.1 has for them */
export function fromHttp2(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): [ClientRequest, ClientResponse] {
  return [request as unknown as ClientRequest, response as unknown as ClientResponse];
}
