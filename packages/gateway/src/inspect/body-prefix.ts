import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';

/** The part of a request's body that is looked at before anything is forwarded. */
export type Prefix =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** more follows; `bytes` was put back, so that the request still reads from its beginning */
  | { readonly kind: 'part'; readonly bytes: Buffer }
  /** no memory was left to hold more, or an older arrival gave way; what was read is put back likewise */
  | { readonly kind: 'starved'; readonly bytes: Buffer }
  /** the client went away or its framing broke */
  | { readonly kind: 'gone' };

/**
 * Pieces that are kept as they came before they are made one: a body of chunks of one byte each would otherwise
 * take a hundred times its length, which no account of bytes shows.
 */
const maxSmallChunks = 64;

/**
 * Reads the body up to `maxBytes` and no further: the rest stays with the client until the upstream asks.
 * @param memory what is held of all bodies counts here until {@link HeldMemory.give} for this exchange
 */
export function readPrefix(
  exchange: Exchange,
  maxBytes: number,
  memory: HeldMemory,
  done: (prefix: Prefix) => void,
): void {
  const { request } = exchange;
  const chunks: Buffer[] = [];
  let length = 0;
  let small = 0;
  const announced = Number(exchange.head.contentLength ?? Number.NaN);
  const finish = (kind: Prefix['kind']) => {
    request.off('data', onData);
    request.off('end', onEnd);
    request.off('close', onClose);
    memory.arrived(exchange);
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length);
    exchange.attempt(() => done({ kind, bytes }));
  };
  const stop = (kind: 'part' | 'starved') => {
    request.pause();
    const bytes = Buffer.concat(chunks, length);
    chunks.splice(0, chunks.length, bytes);
    request.unshift(bytes);
    finish(kind);
  };
  const giveWay = () => {
    // It may have come to its end meanwhile.
    if (request.listeners('data').includes(onData)) stop('starved');
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (++small === maxSmallChunks) {
      chunks.push(Buffer.concat(chunks.splice(-small)));
      small = 0;
    }
    const room = memory.take(exchange, chunk.length);
    if (!room || length >= maxBytes) stop(room ? 'part' : 'starved');
    else if (length !== announced) memory.arriving(exchange, giveWay);
  };
  const onEnd = () => finish('whole');
  const onClose = () => finish('gone');
  exchange.sendContinue();
  request.on('data', onData);
  request.on('end', onEnd);
  request.on('close', onClose);
}
