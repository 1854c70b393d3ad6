import { Readable } from 'node:stream';
import type { ClientRequest } from '../exchange/index.ts';

/**
 * What the client still sends, as a stream that the upstream side may destroy: destroying the request itself would
 * take the client's connection along, and with it the page that says why.
 * @param mayPass asked of each piece before it goes on, and at the end with undefined; after a no nothing goes on any
 *   more, and the upstream waits until the exchange ends
 */
export function requestBody(
  request: ClientRequest,
  mayPass: (piece: Buffer | undefined) => boolean = () => true,
): Readable {
  // Let go at the end: undici holds on to the body, see docs/decisions/024.
  let source: ClientRequest | undefined = request;
  let asked: typeof mayPass | undefined = mayPass;
  const body = new Readable({
    read: () => void source?.resume(),
    destroy: (error, done) => {
      // The rest is dropped: small pieces that still come must not stop it.
      source?.off('data', onData).off('end', onEnd).resume();
      source = undefined;
      asked = undefined;
      done(error);
    },
  });
  const pieces = new Pieces((piece) => {
    if (asked?.(piece)) {
      if (!body.push(piece)) source?.pause();
      return;
    }
    asked = undefined;
    source?.off('data', onData).off('end', onEnd);
  });
  const onData = (chunk: Buffer) => pieces.add(chunk);
  const onEnd = () => {
    pieces.flush();
    if (asked?.(undefined)) body.push(null);
  };
  // Who gives up a request lets go of its body, before undici began to listen too; nobody else is to be told of its end.
  body.on('error', () => undefined);
  request.on('data', onData);
  request.once('end', onEnd);
  request.once('close', () => {
    if (source?.readableEnded === false) body.destroy(new Error('the client broke off its request'));
    source = undefined;
    asked = undefined;
  });
  return body;
}

/** Chunks below this are put together: each costs its framing, a look and a write, and one byte may be a chunk. */
const minPieceBytes = 1024;

/** Puts small chunks together that came in one turn of the event loop, as those of one read of the socket do. */
class Pieces {
  readonly #pass: (piece: Buffer) => void;
  #small: Buffer[] = [];

  constructor(pass: (piece: Buffer) => void) {
    this.#pass = pass;
  }

  add(chunk: Buffer): void {
    if (chunk.length >= minPieceBytes) {
      this.flush();
      this.#pass(chunk);
      return;
    }
    if (this.#small.length === 0) setImmediate(() => this.flush());
    this.#small.push(chunk);
  }

  flush(): void {
    const [first] = this.#small;
    if (first === undefined) return;
    const piece = this.#small.length === 1 ? first : Buffer.concat(this.#small);
    this.#small = [];
    this.#pass(piece);
  }
}
