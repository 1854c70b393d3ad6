import { constants, type Http2Stream, type ServerHttp2Session } from 'node:http2';

/** Times in milliseconds. */
export interface SessionLimits {
  /** for the whole request with its body */
  readonly requestTimeoutMs: number;
  /** without a byte in either direction on one stream */
  readonly idleTimeoutMs: number;
  /** without a byte on the whole connection */
  readonly keepAliveTimeoutMs: number;
}

/** PING and SETTINGS that a connection may send at once, and that it regains a second. */
const controlBurst = 200;
const controlRate = 20;

/**
 * Bounds what one HTTP/2 connection may cost where neither nghttp2 nor Node does: each PING and SETTINGS asks for an
 * answer (CVE-2019-9512, CVE-2019-9515), and a stream whose reader or writer stalls holds its upstream.
 */
export function guardSession(session: ServerHttp2Session, limits: SessionLimits): void {
  // The server's own handler would cut the streams under way.
  session.removeAllListeners('timeout');
  session.setTimeout(limits.keepAliveTimeoutMs, () => session.close());
  let credit = controlBurst;
  let creditedAt = performance.now();
  const spend = () => {
    const now = performance.now();
    credit = Math.min(controlBurst, credit + ((now - creditedAt) / 1000) * controlRate);
    creditedAt = now;
    credit--;
    if (credit < 0 && !session.destroyed)
      session.destroy(new ControlFlood(), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  };
  session.on('ping', spend);
  session.on('remoteSettings', spend);
}

/** What ends a connection that sends control frames without end. */
export class ControlFlood extends Error {
  readonly code = 'ERR_HTTP2_CONTROL_FLOOD';

  constructor() {
    super('Too many PING or SETTINGS frames');
  }
}

/** The bounds that an HTTP/1.1 connection has, for one stream: slow reads, slow and endless uploads. */
export function guardStream(stream: Http2Stream, limits: SessionLimits): void {
  const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
  stream.setTimeout(limits.idleTimeoutMs, cancel);
  if (stream.endAfterHeaders) return;
  const deadline = setTimeout(() => {
    if (!stream.readableEnded) cancel();
  }, limits.requestTimeoutMs);
  stream.once('close', () => clearTimeout(deadline));
}
