import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';
import type { Member, UpstreamGroup } from './group.ts';
import { isUnreached, Relay, type UpstreamFailure } from './relay.ts';
import { Released } from './released.ts';
import { requestBody } from './request-body.ts';
import { upstreamHeaders } from './request-headers.ts';

export interface ForwardOptions {
  /** called once when there was no whole answer. `started`: the client already has a part of it */
  readonly onFailure: (failure: UpstreamFailure, member: Member, started: boolean) => void;
  /** for what clients have yet to read of answers that are whole */
  readonly unread: HeldMemory;
  /** who asks, where the site's upstreams keep their clients */
  readonly client: string | undefined;
  /** sends the upstream's own name as Host instead of the client's */
  readonly rewriteHost: boolean;
  /** by which it is known again where it comes back */
  readonly mark: string;
  /** asks for no content coding that the gateway cannot read */
  readonly onlyReadable: boolean;
  /** lower-case names of the upstream's answer that the gateway answers itself */
  readonly withheld?: ReadonlySet<string> | undefined;
  /** what the upstream's answer goes through before it is relayed */
  readonly past?: ((relay: Dispatcher.DispatchHandler) => Dispatcher.DispatchHandler) | undefined;
  /** the request's whole body where it was read before, let go of once it is answered; absent streams what the client still sends */
  wholeBody?: Buffer | undefined;
  /** called when the upstream begins to draw a body that streams */
  readonly onDrawn: () => void;
  /** asked of each piece of a body that streams, before it goes on; see {@link requestBody} */
  readonly mayPass?: ((piece: Buffer | undefined) => boolean) | undefined;
}

/** RFC 9110 §9.2.2: repeating these changes nothing, should the first try have got through. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * Sends a request on to one of its upstreams and streams the answer back. Never throws: what goes wrong is told to
 * `onFailure`. One that cannot be reached, or has no connection free for too long, gives way to the next; a kept
 * connection that turns out closed is replaced by a fresh one where repeating is safe, at the same upstream where the
 * client stays with it.
 */
export function forward(exchange: Exchange, group: UpstreamGroup, options: ForwardOptions): void {
  const streams = options.wholeBody === undefined && exchange.hasBody;
  const { client } = options;
  const first = group.pick(exchange.startedAt, client);
  const other = (): Member | undefined =>
    group.members.length > 1 ? group.pick(exchange.startedAt, client, first) : undefined;
  const next = (
    failure: UpstreamFailure,
    at: Member,
    { connection, relay }: { connection: Connection; relay: Relay },
  ): Member | undefined => {
    if (failure.kind === 'crowded') {
      const instead = at === first && !failure.begun ? other() : undefined;
      // One that is down has no connection to spare.
      return instead?.available(exchange.startedAt) === true ? instead : undefined;
    }
    // A body that streamed is gone.
    if (streams) return undefined;
    if (isUnreached(failure, relay.sent)) return at === first ? other() : undefined;
    const stale = failure.kind === 'broken' && failure.closed && idempotent.has(exchange.method);
    if (!stale || connection === 'fresh') return undefined;
    return client === undefined ? (other() ?? first) : first;
  };
  const ask = (member: Member, connection: Connection, before?: Relay) => {
    attempt(exchange, member, options, { connection, before }, (failure, started, relay) => {
      // Half an answer can't be taken back.
      const after = started ? undefined : next(failure, member, { connection, relay });
      if (after === undefined) options.onFailure(failure, member, started);
      else ask(after, 'fresh', after === member ? relay : undefined);
    });
  };
  ask(first, 'kept');
}

/** A fault while a piece is looked at lets nothing go on. */
function guarded(exchange: Exchange, mayPass: ForwardOptions['mayPass']): ForwardOptions['mayPass'] {
  if (mayPass === undefined) return undefined;
  return (piece) => {
    let passes = false;
    exchange.attempt(() => {
      passes = mayPass(piece);
    });
    return passes;
  };
}

/** Waiting is the relay's own, see {@link wait}. */
const ownTimes = { headersTimeout: 0, bodyTimeout: 0 } as const;

const noBody = () => false;

/** A client that is slow to send is bounded by the listener; one that was stopped waits for the upstream. */
const isSending = ({ request }: Exchange) => !request.readableEnded && !request.isPaused();

/** One that is kept where there is one, or one that nobody has used before. */
type Connection = 'kept' | 'fresh';

function attempt(
  exchange: Exchange,
  member: Member,
  options: ForwardOptions,
  { connection, before }: { readonly connection: Connection; readonly before: Relay | undefined },
  onFailure: (failure: UpstreamFailure, started: boolean, relay: Relay) => void,
): void {
  const { upstream } = member;
  let body: Buffer | Readable | null = null;
  const abandon = () => {
    // Nobody reads it any more, and full it would stop the client, whose stream or connection then stays.
    if (body instanceof Readable) body.destroy();
  };
  exchange.upstream = upstream.origin;
  let askedAt = 0;
  const relay = new Relay(exchange, {
    places: upstream.places,
    unread: options.unread,
    dispatch: () => {
      askedAt = performance.now();
      body = bodyOf(exchange, options);
      const handler = options.past?.(relay) ?? relay;
      const request = { ...requestOf(exchange, member, options), body };
      // Of what no site uses any more, the kept connections are closed.
      const pool = connection === 'kept' && !upstream.pool.closed ? upstream.pool : undefined;
      const dispatcher = pool ?? upstream.fresh();
      dispatcher.dispatch(request, body instanceof Readable ? new Released(handler) : handler);
      if (pool === undefined) void dispatcher.close();
    },
    onFailure: (failure, started) => {
      abandon();
      if (!started) member.broke(exchange, failure, relay.sent);
      onFailure(failure, started, relay);
    },
    onAnswered: () => {
      exchange.upstreamMs = performance.now() - askedAt;
      options.wholeBody = undefined;
      member.answered();
    },
    onAbandoned: abandon,
    withheld: options.withheld,
    patience: upstream.patience,
    clientSends: options.wholeBody === undefined && exchange.hasBody ? () => isSending(exchange) : noBody,
  });
  exchange.atEnd(() => relay.clientClosed());
  relay.enter(before);
}

function requestOf(exchange: Exchange, { upstream }: Member, options: ForwardOptions) {
  const headers = upstreamHeaders(exchange, {
    host: options.rewriteHost ? upstream.authority : undefined,
    mark: options.mark,
    onlyReadable: options.onlyReadable,
  });
  const { wholeBody } = options;
  if (wholeBody !== undefined && exchange.head.contentLength === undefined) {
    headers.push('content-length', String(wholeBody.length));
  }
  return { path: exchange.target, method: exchange.method, headers, ...ownTimes, ...upstream.named };
}

/** What undici is given in one piece it keeps until the answer is out; of a stream it keeps nothing that was sent. */
const maxKeptBytes = 16 * 1024;

function bodyOf(exchange: Exchange, options: ForwardOptions): Buffer | Readable | null {
  const { wholeBody } = options;
  if (wholeBody !== undefined) return wholeBody.length > maxKeptBytes ? streamOf(wholeBody) : wholeBody;
  if (!exchange.hasBody) return null;
  options.onDrawn();
  const body = requestBody(exchange.request, guarded(exchange, options.mayPass));
  exchange.sendContinue();
  return body;
}

function streamOf(bytes: Buffer): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push(bytes);
  stream.push(null);
  return stream;
}
