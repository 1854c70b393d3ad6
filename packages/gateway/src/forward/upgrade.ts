import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import { part } from '../listener/index.ts';
import type { Member, UpstreamGroup } from './group.ts';
import { type Awaited, settled, wait } from './patience.ts';
import { describeFailure, isUnreached, type UpstreamFailure } from './relay.ts';
import { upstreamHeaders } from './request-headers.ts';
import { clientHeaders } from './response-headers.ts';

export interface UpgradeOptions {
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
  /** what the ordinary answer of an upstream that declines goes through before it is passed on */
  readonly past?: ((handler: Dispatcher.DispatchHandler) => Dispatcher.DispatchHandler) | undefined;
  /** called once when the upstream gave no answer; nothing was written to the client then */
  readonly onFailure: (failure: UpstreamFailure, member: Member) => void;
}

/**
 * Switches a client's connection to the protocol that it asked for, once the upstream agrees, and joins the two
 * ends until either closes. An upstream that declines has its ordinary answer passed on; one that cannot be reached
 * gives way to the next.
 * @param head bytes that the client sent behind its request
 */
export function forwardUpgrade(
  exchange: Exchange,
  group: UpstreamGroup,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  options: UpgradeOptions,
): void {
  const handshake: Handshake = { exchange, socket, early: head.length > 0 ? [head] : [], options };
  const unwatch = watchLeaving(socket, handshake.early);
  const first = group.pick(exchange.startedAt, options.client);
  const fail = (failure: UpstreamFailure, member: Member) => {
    unwatch();
    options.onFailure(failure, member);
  };
  shake(handshake, first, unwatch, (failure, sent) => {
    if (!isUnreached(failure, sent) || group.members.length === 1) {
      fail(failure, first);
      return;
    }
    const other = group.pick(exchange.startedAt, options.client, first);
    shake(handshake, other, unwatch, (last) => fail(last, other));
  });
}

/** A client's connection that waits for an upstream to agree. */
interface Handshake {
  readonly exchange: Exchange;
  readonly socket: Duplex;
  /** what the client sent ahead of the answer */
  readonly early: Buffer[];
  readonly options: UpgradeOptions;
}

/**
 * Asks one upstream to switch.
 * @param onAnswered called when it answers, whatever it says
 * @param onFailure called once where it gave no answer; nothing was written to the client then. `sent`: the upstream may
 * have seen something of the handshake
 */
function shake(
  { exchange, socket, early, options }: Handshake,
  member: Member,
  onAnswered: () => void,
  onFailure: (failure: UpstreamFailure, sent: boolean) => void,
): void {
  let controller: Dispatcher.DispatchController | undefined;
  let answered = false;
  exchange.upstream = member.upstream.origin;
  const askedAt = performance.now();
  const leave = () => controller?.abort(new Error('client closed the connection'));
  socket.once('close', () => {
    if (exchange.status !== switching) leave();
  });
  const begin = (
    status: number,
    raw: Dispatcher.DispatchController['rawHeaders'],
    more: readonly string[],
  ) => {
    answered = true;
    exchange.upstreamMs = performance.now() - askedAt;
    onAnswered();
    exchange.status = status;
    const { headers } = clientHeaders(Array.isArray(raw) ? raw : [], options.withheld);
    socket.write(headOf(status, [...headers, ...more]), 'latin1');
  };
  const fail = (error: Error) => {
    const failure = describeFailure(error);
    const sent = controller !== undefined;
    member.broke(exchange, failure, sent);
    onFailure(failure, sent);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (socket.destroyed) leave();
    },
    onRequestUpgrade: (upgraded, status, headers, upstreamSocket) => {
      if (!accepts(exchange, headers)) {
        upstreamSocket.on('error', () => undefined).destroy();
        fail(new Error('it switches protocols without accepting the handshake'));
        return;
      }
      begin(status, upgraded.rawHeaders, ['Connection', 'Upgrade', 'Upgrade', 'websocket']);
      join(exchange, socket, upstreamSocket, { early, idleMs: member.upstream.patience.bodyMs });
    },
    ...declining(exchange, socket, begin, member.upstream.patience.bodyMs),
    onResponseError: (_controller, error) => {
      if (answered || socket.destroyed) socket.destroy();
      else fail(error);
    },
  };
  try {
    ask(exchange, member, options, handler);
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
}

function ask(
  exchange: Exchange,
  { upstream }: Member,
  { rewriteHost, mark, onlyReadable, past }: UpgradeOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  const headers = upstreamHeaders(exchange, {
    host: rewriteHost ? upstream.authority : undefined,
    mark,
    onlyReadable,
  });
  // It keeps the connection for itself anyway, and a kept one might have gone stale.
  const fresh = upstream.fresh();
  const asked = { path: exchange.target, method: 'GET', headers, upgrade: 'websocket' } as const;
  const handshake = { ...asked, ...upstream.named };
  fresh.dispatch(handshake, past?.(handler) ?? handler);
  void fresh.close();
}

/** Bytes that a client may send ahead of the answer to its handshake and that are kept for the upstream. */
const maxEarlyBytes = 64 * 1024;

/**
 * Destroys a socket whose client closes its half of it. The end is told to who reads, so what the client says meanwhile
 * is read, up to a bound: beyond it the client waits, and its leaving is seen once the upstream answers.
 * @param early what was read is added to
 * @returns ends this
 */
function watchLeaving(socket: Duplex, early: Buffer[]): () => void {
  const leave = () => socket.destroy();
  let room = maxEarlyBytes;
  const look = () => {
    while (room > 0) {
      const bytes: Buffer | null = socket.read();
      if (bytes === null) return;
      room -= bytes.length;
      early.push(bytes);
    }
  };
  socket.on('readable', look).once('end', leave);
  return () => void socket.off('readable', look).off('end', leave);
}

/** The answer of an upstream that stays with HTTP. @param idleMs how long neither side may take a step */
function declining(
  exchange: Exchange,
  socket: Duplex,
  begin: (status: number, raw: Dispatcher.DispatchController['rawHeaders'], more: readonly string[]) => void,
  idleMs: number,
): Dispatcher.DispatchHandler {
  let silence: Awaited | undefined;
  return {
    onResponseStart: (declined, status) => {
      if (status < 200) return;
      begin(status, declined.rawHeaders, ['Connection', 'close', ...exchange.extraHeaders]);
      silence = waitForEither(socket, idleMs, () => socket.destroy());
      // Nothing that the client still says counts; unread, its leaving would go unseen. Closing its half is leaving.
      socket.once('end', () => socket.destroy()).resume();
    },
    onResponseData: (declined, chunk) => {
      exchange.bytesOut += chunk.length;
      heard(silence);
      if (socket.write(chunk)) return;
      declined.pause();
      socket.once('drain', () => {
        heard(silence);
        declined.resume();
      });
    },
    onResponseEnd: () => part(socket),
  };
}

/** Waits for the two ends of a connection until the client's closes. @param giveUp called where both are silent for too long */
function waitForEither(client: Duplex, idleMs: number, giveUp: () => void): Awaited {
  const silence: Awaited = { heardAt: performance.now(), patienceMs: () => idleMs, giveUp };
  const place = wait(silence);
  client.once('close', () => settled(place));
  return silence;
}

function heard(silence: Awaited | undefined): void {
  if (silence !== undefined) silence.heardAt = performance.now();
}

const switching = 101;

/**
 * What an upstream that speaks WebSocket answers to a key. A 101 without it may be the answer of another server that
 * an upstream was made to fetch: joined to that, the client would speak HTTP behind our back.
 * @see RFC 6455 §4.2.2
 */
function accepts(exchange: Exchange, headers: IncomingHttpHeaders): boolean {
  const key = exchange.header('sec-websocket-key')?.trim();
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return headers['sec-websocket-accept'] === accept;
}

/** @param headers names and values in turn */
function headOf(status: number, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${status === switching ? 'Switching Protocols' : 'Declined'}`];
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Each end reads as fast as the other writes; when one is gone the other goes too, and both where nobody speaks.
 * @param idleMs how long that may be
 */
function join(
  exchange: Exchange,
  client: Duplex,
  upstream: Duplex,
  { early, idleMs }: { early: readonly Buffer[]; idleMs: number },
): void {
  const endBoth = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on('error', endBoth).on('close', endBoth);
  upstream.on('error', endBoth).on('close', endBoth);
  // A client that vanished without a word would keep its upstream for good.
  const silence = waitForEither(client, idleMs, endBoth);
  client.on('data', (chunk: Buffer) => {
    heard(silence);
    exchange.bytesIn += chunk.length;
  });
  upstream.on('data', (chunk: Buffer) => {
    heard(silence);
    exchange.bytesOut += chunk.length;
  });
  for (const bytes of early) {
    exchange.bytesIn += bytes.length;
    upstream.write(bytes);
  }
  client.pipe(upstream);
  upstream.pipe(client);
}
