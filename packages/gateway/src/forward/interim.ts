import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici';
import { Client } from '../http-client.ts';

/** An interim head that is longer is left to the parser, which refuses it. */
const maxHeadBytes = 64 * 1024;
/** As much as `HTTP/1.1 100`. */
const statusBytes = 12;
const endOfHead = '\r\n\r\n';

/**
 * Takes `100 Continue` out of what an upstream answers. A client must be able to read it where it asked for none, and
 * some old SOAP and IIS servers send it to every POST; undici ends the connection instead.
 * @see RFC 9110 §15.2
 */
class InterimFilter {
  #awaitsHead = false;
  #held: Buffer | undefined;

  /** To be called with each request: what comes next begins with the head of an answer. */
  expectHead(): void {
    this.#awaitsHead = true;
    this.#held = undefined;
  }

  /**
   * @param piece what was read, in order
   * @returns what goes on to the parser; undefined while it is not known yet, or where nothing is left
   */
  pass(piece: Buffer): Buffer | undefined {
    if (!this.#awaitsHead) return piece;
    const bytes = this.#held === undefined ? piece : Buffer.concat([this.#held, piece]);
    this.#held = undefined;
    return this.#heads(bytes);
  }

  #heads(bytes: Buffer): Buffer | undefined {
    const kept: Buffer[] = [];
    let rest = bytes;
    while (rest.length > 0) {
      if (rest.length < statusBytes) {
        this.#held = rest;
        break;
      }
      const status = interimStatus(rest);
      const end = status === undefined || status === '101' ? -1 : rest.indexOf(endOfHead, 0, 'latin1');
      if (end < 0 && status !== undefined && status !== '101' && rest.length <= maxHeadBytes) {
        this.#held = rest;
        break;
      }
      if (end < 0) {
        // The answer itself, another protocol behind a switch, or what the parser is to refuse.
        this.#awaitsHead = false;
        kept.push(rest);
        break;
      }
      const next = end + endOfHead.length;
      if (status !== '100') kept.push(rest.subarray(0, next));
      rest = rest.subarray(next);
    }
    return kept.length < 2 ? kept[0] : Buffer.concat(kept);
  }
}

/** @returns the three digits where they begin with 1 */
function interimStatus(bytes: Buffer): string | undefined {
  // The ninth byte of `HTTP/1.1 200` tells nearly all of them.
  if (bytes[9] !== 0x31) return undefined;
  const [, status] = /^HTTP\/1\.[01] (1\d\d)/.exec(bytes.toString('latin1', 0, statusBytes)) ?? [];
  return status;
}

/** A connection to an upstream, one request at a time, that reads past interim answers; see {@link InterimFilter}. */
export class UpstreamClient extends Client {
  readonly #filter: InterimFilter;

  /** @param connect opens its connections, one after the other */
  constructor(origin: string | URL, options: UndiciClient.Options, connect: buildConnector.connector) {
    const filter = new InterimFilter();
    const filtered: buildConnector.connector = (target, done) =>
      connect(target, (...opened) => {
        if (opened[0] === null) readThrough(opened[1], filter);
        done(...opened);
      });
    super(origin, { ...options, pipelining: 1, allowH2: false, connect: filtered });
    this.#filter = filter;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#filter.expectHead();
    return super.dispatch(options, handler);
  }
}

/** undici draws its bytes by `read`, once a connection says that some are there. */
function readThrough(socket: Socket, filter: InterimFilter): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  const filtered = (size?: number) => {
    for (let piece = read(size); piece !== null; piece = read(size)) {
      const passed = filter.pass(piece);
      if (passed !== undefined) return passed;
    }
    return null;
  };
  socket.read = filtered;
}
