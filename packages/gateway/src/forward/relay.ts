import type { OutgoingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Exchange, writeHead } from '../exchange/index.ts';
import type { HeldMemory, Holder } from '../limits/index.ts';
import type { Place } from '../memory/index.ts';
import { sendEarlyHints } from './early-hints.ts';
import { type Awaited, giveUpReason, settled, wait } from './patience.ts';
import type { Guest, Places } from './places.ts';
import { clientHeaders, clientTrailers } from './response-headers.ts';

/** Why the upstream gave no whole answer. */
export type UpstreamFailure =
  | { readonly kind: 'unreachable' | 'timeout'; readonly reason: string }
  /** `closed`: the connection ended before the answer, as a kept one does that went stale */
  | { readonly kind: 'broken'; readonly reason: string; readonly closed: boolean }
  /** others need its connection, or what its client leaves unread. `begun`: it had a connection, and gave way */
  | { readonly kind: 'crowded'; readonly reason: string; readonly begun: boolean }
  /** the client went away first; nobody is left to answer */
  | { readonly kind: 'client-gone' };

export interface RelayOptions {
  readonly places: Places;
  /** for what clients have yet to read of answers that are whole */
  readonly unread: HeldMemory;
  /** dispatches the request, once there is a place for it */
  readonly dispatch: () => void;
  /** called once when there was no whole answer. `started`: the client already has a part of it */
  readonly onFailure: (failure: UpstreamFailure, started: boolean) => void;
  /** called when the head of an answer arrives */
  readonly onAnswered: () => void;
  /** called where the client went away while the upstream was being connected to */
  readonly onAbandoned: () => void;
  /** lower-case names of the upstream's answer that the gateway answers itself */
  readonly withheld?: ReadonlySet<string> | undefined;
  /** milliseconds that the upstream may be quiet before its head and within its body */
  readonly patience: { readonly headersMs: number; readonly bodyMs: number };
  /** whether it is the client that the upstream waits for */
  readonly clientSends: () => boolean;
}

/** Above this, copying a body costs more than a second piece in the same write. */
const maxJoinedBytes = 16 * 1024;

/** Of a body that is being sent, bytes that count as a step: one byte at a time is none. */
const minStepBytes = 16 * 1024;

/** How long a client may pause whatever it did before: reading a little once in minutes must not keep a place. */
const maxPauseMs = 8000;

/** Less than this unread is what any connection may have on its way. */
const minUnreadBytes = 16 * 1024;

class ClientGone extends Error {}
class Displaced extends Error {}

/**
 * Passes one upstream answer on to the client piece by piece: the upstream is read only as fast as the client
 * reads, and whoever goes away first ends the other side too.
 */
export class Relay implements Dispatcher.DispatchHandler, Awaited, Guest, Holder {
  readonly #exchange: Exchange;
  readonly #options: RelayOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #remaining: number | undefined;
  #bodyless = false;
  #settled = false;
  #waiting = false;
  #headSeen = false;
  #place: Place<Awaited> | undefined;
  heardAt = 0;
  readonly client: string;
  standing: Guest['standing'];
  heldBytes = 0;
  arrival: Holder['arrival'];
  #begun = false;
  #clientGone = false;
  /** bytes sent since the client's last step, and when that was */
  #unstepped = 0;
  #steppedAt = 0;
  /** the longest that the client has taken to read on, in milliseconds */
  #slowestMs = 0;

  constructor(exchange: Exchange, options: RelayOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.client = exchange.client;
  }

  /** Sends the request, once there is a place for it. @param before the try that failed, at the same upstream */
  enter(before?: Relay): void {
    this.#options.places.enter(this, before);
  }

  begin(): void {
    this.#begun = true;
    // Answered while it waited.
    if (this.#exchange.closed) {
      this.#settle();
      return;
    }
    this.#exchange.attempt(() => {
      try {
        this.#options.dispatch();
      } catch (error) {
        this.#settle();
        throw error;
      }
    });
  }

  /** Whether the upstream may have seen something of the request. */
  get sent(): boolean {
    return this.#controller !== undefined;
  }

  /** To be called when the client's side closes, whatever the reason. */
  clientClosed(): void {
    this.#clientGone = true;
    this.#options.unread.give(this);
    if (this.#settled) return;
    // A paused upstream must be let go too, else its connection and buffers stay for ever.
    const gone = new ClientGone('client closed the connection');
    if (this.#controller !== undefined) this.#controller.abort(gone);
    // One that is being connected to cannot be told yet, and keeps its place until then.
    else if (this.#begun) this.#options.onAbandoned();
    else this.#settle();
  }

  /**
   * A slow reader is seen to read only when the system takes more for it, so it may be quiet twice as long as before,
   * within a bound.
   */
  stalledSince(now: number): number | undefined {
    if (this.#controller === undefined) return undefined;
    const waits = this.#headSeen ? this.#waiting : this.#options.clientSends();
    const pauseMs = Math.min(2 * this.#slowestMs, maxPauseMs);
    return waits && now - this.#steppedAt > pauseMs ? this.#steppedAt : undefined;
  }

  turnAway(reason: string): void {
    const begun = this.#controller !== undefined;
    if (begun && !this.#settled) this.#controller?.abort(new Displaced(reason));
    else this.#failed({ kind: 'crowded', reason, begun }, this.#headSeen);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#step();
    this.#place ??= wait(this);
    if (this.#exchange.closed) controller.abort(new ClientGone('client closed the connection'));
  }

  /** The upstream took or gave something, be it kept from this relay for now. */
  heard(): void {
    this.heardAt = performance.now();
  }

  #step(): void {
    this.heard();
    this.#steppedAt = this.heardAt;
    this.#unstepped = 0;
  }

  patienceMs(): number | undefined {
    const { patience, clientSends } = this.#options;
    if (this.#headSeen) return this.#waiting ? undefined : patience.bodyMs;
    return clientSends() ? undefined : patience.headersMs;
  }

  giveUp(): void {
    this.#exchange.attempt(() => this.#controller?.abort(giveUpReason(this.#headSeen)));
  }

  onBodySent(chunk: Buffer): void {
    this.heard();
    this.#exchange.bytesIn += chunk.length;
    this.#unstepped += chunk.length;
    if (this.#unstepped >= minStepBytes) this.#step();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.heard();
    const raw = controller.rawHeaders;
    const list = Array.isArray(raw) ? raw : [];
    if (status < 200) {
      // 100 was answered by us, 101 belongs to upgrades.
      if (status === 103) sendEarlyHints(this.#exchange, clientHeaders(list).headers);
      return;
    }
    this.#headSeen = true;
    this.#options.onAnswered();
    const { response, method } = this.#exchange;
    const lengthless = status === 204 || status === 205;
    const { headers, length, hasDate, problem } = clientHeaders(list, this.#options.withheld, lengthless);
    if (problem !== undefined) {
      controller.abort(new Error(`the answer cannot be read: ${problem}`));
      return;
    }
    if (hasDate) response.sendDate = false;
    if (status === 205) headers.push('Content-Length', '0');
    const bodyless = lengthless || method === 'HEAD' || status === 304;
    this.#bodyless = bodyless;
    this.#remaining = bodyless ? undefined : length;
    writeHead(this.#exchange, status, headers);
    // A first piece that came along goes out in one write with the head; one that is long in coming (event
    // streams) must not hold the head back.
    if (!bodyless) process.nextTick(flushHead, this.#exchange);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.heard();
    // Of 205 alone: no other answer without a body has one that undici would read.
    if (this.#bodyless) return;
    const { response } = this.#exchange;
    this.#exchange.bytesOut += chunk.length;
    if (this.#remaining !== undefined) {
      this.#remaining -= chunk.length;
      if (this.#remaining === 0) {
        this.#end(chunk);
        return;
      }
    }
    if (!response.write(chunk) && !this.#waiting) {
      this.#waiting = true;
      this.#step();
      controller.pause();
      response.once('drain', () => {
        this.#waiting = false;
        this.heard();
        this.#slowestMs = Math.max(this.#slowestMs, this.heardAt - this.#steppedAt);
        controller.resume();
      });
    }
  }

  /** A small body goes out in one piece with its head: Node joins text to it, a buffer would be a write of its own. */
  #end(last: Buffer): void {
    const { response, http2 } = this.#exchange;
    const joins =
      http2 === undefined && last.length <= maxJoinedBytes && last.length === this.#exchange.bytesOut;
    if (joins) response.end(last.toString('latin1'), 'latin1');
    else response.end(last);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#settle();
    const { response } = this.#exchange;
    if (!response.writableEnded) {
      const raw = controller.rawTrailers;
      if (Array.isArray(raw) && raw.length > 0) addTrailers(this.#exchange, raw);
      response.end();
    }
    if (response.writableLength > minUnreadBytes && !this.#clientGone)
      this.#holdUnread(response.writableLength);
  }

  #holdUnread(bytes: number): void {
    const { unread } = this.#options;
    const giveWay = () => {
      if (!this.#clientGone)
        this.turnAway('others needed the memory for answers that their clients have not read');
    };
    unread.arriving(this, giveWay);
    if (!unread.take(this, bytes)) giveWay();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const { response, closed } = this.#exchange;
    if (response.writableEnded) {
      this.#settle();
      return;
    }
    const gone = error instanceof ClientGone || closed;
    const failure = gone ? ({ kind: 'client-gone' } as const) : describeFailure(error);
    this.#failed(failure, response.headersSent);
  }

  #failed(failure: UpstreamFailure, started: boolean): void {
    this.#unwait();
    // Who tries again takes the place over.
    this.#exchange.attempt(() => this.#options.onFailure(failure, started));
    this.#options.places.leave(this);
  }

  #settle(): void {
    this.#unwait();
    this.#options.places.leave(this);
  }

  #unwait(): void {
    this.#settled = true;
    if (this.#place !== undefined) settled(this.#place);
    this.#place = undefined;
  }
}

function flushHead({ response, bytesOut }: Exchange): void {
  if (bytesOut === 0 && !response.writableEnded && !response.destroyed) response.flushHeaders();
}

/** Node takes repeats in another form for each protocol. */
function addTrailers({ response, http2 }: Exchange, raw: readonly (Buffer | string)[]): void {
  const trailers = [...clientTrailers(raw)];
  if (http2) response.addTrailers(Object.fromEntries(trailers) as OutgoingHttpHeaders);
  else {
    const pairs = trailers.flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    response.addTrailers(pairs);
  }
}

const timeoutCodes = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether no connection came about, so that another upstream may be asked. @param sent see {@link Relay.sent} */
export const isUnreached = ({ kind }: UpstreamFailure, sent: boolean): boolean =>
  kind === 'unreachable' || (kind === 'timeout' && !sent);

/** Sorts an error of undici or of the system by what it means for the client. */
export function describeFailure(error: Error): UpstreamFailure {
  if (error instanceof Displaced) return { kind: 'crowded', reason: error.message, begun: true };
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = 'code' in first && typeof first.code === 'string' ? first.code : '';
  const reason = code === '' ? first.message : `${first.message} (${code})`;
  if (timeoutCodes.has(code)) return { kind: 'timeout', reason };
  if (unreachableCodes.has(code)) return { kind: 'unreachable', reason };
  return { kind: 'broken', reason, closed: closedCodes.has(code) };
}
