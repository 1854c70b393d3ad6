import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import type { Member, UpstreamGroup } from './group.ts';
import { describeFailure, Relay, type UpstreamFailure } from './relay.ts';
import { Released } from './released.ts';
import { requestBody } from './request-body.ts';
import { upstreamHeaders } from './request-headers.ts';

export interface ForwardOptions {
  /** called once when there was no whole answer. `started`: the client already has a part of it */
  readonly onFailure: (failure: UpstreamFailure, member: Member, started: boolean) => void;
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
  /** the request's whole body where it was read before; absent streams what the client still sends */
  readonly wholeBody?: Buffer | undefined;
  /** asked of each piece of a body that streams, before it goes on; see {@link requestBody} */
  readonly mayPass?: ((piece: Buffer | undefined) => boolean) | undefined;
}

/** RFC 9110 §9.2.2: repeating these changes nothing, should the first try have got through. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * Sends a request on to one of its upstreams and streams the answer back. Never throws: what goes wrong is told to
 * `onFailure`. One that cannot be reached gives way to the next; a kept connection that turns out closed is
 * replaced by a fresh one where repeating is safe.
 */
export function forward(exchange: Exchange, group: UpstreamGroup, options: ForwardOptions): void {
  const streams = options.wholeBody === undefined && exchange.hasBody;
  const { client } = options;
  const first = group.pick(exchange.startedAt, client);
  attempt(exchange, first, options, first.upstream.pool, (failure, started) => {
    if (failure.kind === 'client-gone') return options.onFailure(failure, first, started);
    if (!started) first.failed(exchange.startedAt);
    // A body that streamed is gone, and half an answer can't be taken back.
    if (started || streams) return options.onFailure(failure, first, started);
    const other = group.members.length > 1 ? group.pick(exchange.startedAt, client, first) : first;
    const unsent = failure.kind === 'unreachable' && other !== first;
    const stale = failure.kind === 'broken' && failure.closed && idempotent.has(exchange.method);
    if (!unsent && !stale) return options.onFailure(failure, first, started);
    const fresh = other.upstream.fresh();
    attempt(exchange, other, options, fresh, (again, begun) => {
      if (!begun && again.kind !== 'client-gone') other.failed(exchange.startedAt);
      options.onFailure(again, other, begun);
    });
    void fresh.close();
  });
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

function attempt(
  exchange: Exchange,
  member: Member,
  options: ForwardOptions,
  dispatcher: Dispatcher,
  onFailure: (failure: UpstreamFailure, started: boolean) => void,
): void {
  const streams = options.wholeBody === undefined && exchange.hasBody;
  let body: Buffer | Readable | null = null;
  const fail = (failure: UpstreamFailure, started: boolean) => {
    // Nobody reads it any more, and full it would stop the client, whose stream or connection then stays.
    if (body instanceof Readable) body.destroy();
    onFailure(failure, started);
  };
  exchange.upstream = member.upstream.origin;
  const askedAt = performance.now();
  const relay = new Relay(exchange, {
    onFailure: fail,
    onAnswered: () => {
      exchange.upstreamMs = performance.now() - askedAt;
      member.answered();
    },
    withheld: options.withheld,
    patience: member.upstream.patience,
    clientSends: streams ? () => isSending(exchange) : noBody,
  });
  exchange.atEnd(() => relay.clientClosed());
  const headers = upstreamHeaders(exchange, {
    host: options.rewriteHost ? member.upstream.authority : undefined,
    mark: options.mark,
    onlyReadable: options.onlyReadable,
  });
  if (options.wholeBody !== undefined) {
    body = options.wholeBody;
    if (exchange.head.contentLength === undefined) headers.push('content-length', String(body.length));
  } else if (streams) {
    body = requestBody(exchange.request, guarded(exchange, options.mayPass));
    exchange.sendContinue();
  }
  const handler = options.past?.(relay) ?? relay;
  try {
    dispatcher.dispatch(
      {
        path: exchange.target,
        method: exchange.method,
        headers,
        body,
        ...ownTimes,
        ...member.upstream.named,
      },
      streams ? new Released(handler) : handler,
    );
  } catch (error) {
    fail(describeFailure(error instanceof Error ? error : new Error(String(error))), false);
  }
}
