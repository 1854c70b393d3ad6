import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';

/** Content codings that can be read, RFC 9110 §8.4.1. */
export const readableCodings = ['identity', 'gzip', 'deflate', 'br', 'zstd'] as const;
export type ReadableCoding = (typeof readableCodings)[number];

/** What the beginning of an answer may grow to: a bomb is not worth more. */
const maxOutputLength = 1024 * 1024;

// The input is cut off somewhere: what can be decoded is given without its end.
const cut: ZlibOptions = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<Exclude<ReadableCoding, 'identity'>, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, cut),
  deflate: (bytes) => inflateSync(bytes, cut),
  br: (bytes) =>
    brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush }),
};

/**
 * Decodes the beginning of a body.
 * @returns as much as came out; undefined where the bytes are not of this coding or grow beyond 1 MiB even from
 * their first part
 */
export function decodePrefix(coding: ReadableCoding, bytes: Buffer): Buffer | undefined {
  if (coding === 'identity') return bytes;
  // What grows too much is tried again with less of it, for the decoder gives all or nothing.
  for (const length of [bytes.length, 8192, 1024]) {
    try {
      return decoders[coding](bytes.subarray(0, length));
    } catch (error) {
      const tooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      if (!tooMuch) return undefined;
    }
  }
  return undefined;
}
