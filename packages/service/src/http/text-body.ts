import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { type Failure, failure, malformed } from '../outcome.ts';
import { BodyRefused } from './json-body.ts';

/** What a call makes of a text that comes piece by piece. */
export interface TextReader<T> {
  /** of the text, unpacked where it came packed: a few kilobytes can be gigabytes */
  readonly maxBytes: number;
  /** @returns what the handler gets, or why the text is refused */
  read(pieces: AsyncIterable<string>): Promise<T | Failure>;
}

const tooLarge = (maxBytes: number) =>
  failure('body_too_large', { message: `The text may have ${maxBytes / 1024 ** 2} MiB` });

function unpacked(request: FastifyRequest, payload: Readable): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return payload;
  if (encoding !== 'gzip') {
    throw new BodyRefused(
      failure('unsupported_media_type', { message: 'Send the text as it is, or packed with gzip' }),
    );
  }
  const gunzip = createGunzip();
  payload.once('error', (error) => gunzip.destroy(error));
  // Of who went away in the middle no end comes.
  payload.once('close', () => gunzip.end());
  return payload.pipe(gunzip);
}

/** Then others have their turn. The piece that is begun before it takes some milliseconds more. */
const stretchMs = 2;

async function* piecesOf(stream: Readable, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let turned = performance.now();
  // Not ended with the reading, for the answer goes over the same connection.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyRefused(tooLarge(maxBytes));
    yield decoder.decode(chunk as Buffer, { stream: true });
    // What has come already would all be read in one turn of the loop.
    if (performance.now() - turned < stretchMs) continue;
    await nextTurn();
    turned = performance.now();
  }
  yield decoder.decode();
}

/** Reads a body by a reader. @throws BodyRefused, since Fastify's parsers cannot answer themselves */
export async function readTextBody<T>(
  request: FastifyRequest,
  payload: Readable,
  reader: TextReader<T>,
): Promise<T> {
  const { maxBytes } = reader;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyRefused(tooLarge(maxBytes));
  try {
    const read = await reader.read(piecesOf(unpacked(request, payload), maxBytes));
    if (isFailure(read)) throw new BodyRefused(read);
    return read;
  } catch (error) {
    if (request.raw.destroyed && !request.raw.complete)
      throw new BodyRefused('The request ended before its body');
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new BodyRefused(malformed('The text is not UTF-8'));
    }
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new BodyRefused(malformed('The text is not packed with gzip'));
    }
    throw error;
  }
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'ok' in value && value.ok === false;
