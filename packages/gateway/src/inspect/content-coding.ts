import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
  constants,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
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

/** RFC 9659: no recipient has to hold more than 8 MiB of window. */
export const zstdParams = { [constants.ZSTD_d_windowLogMax]: 23 };

/** Some servers leave the wrapper of zlib away, and browsers read that too: RFC 9110 §8.4.1.2, RFC 1950 §2.2. */
const isWrapped = (bytes: Buffer) =>
  bytes.length < 2 || (((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0);

/** @param first the beginning of the body, which tells how it is wrapped */
export const createInflater = (first: Buffer, options: ZlibOptions): Transform =>
  isWrapped(first) ? createInflate(options) : createInflateRaw(options);

/**
 * Bytes behind the end are passed over by who reads the answer, as a blank line behind what PHP compressed; the decoder
 * takes them for a broken further member, and gives nothing.
 */
function gunzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, cut);
  } catch (error) {
    const header = gzipHeaderLength(bytes);
    const isBroken = error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR';
    if (!isBroken || header === undefined) throw error;
    return inflateRawSync(bytes.subarray(header), cut);
  }
}

/** @returns bytes before the compressed data, RFC 1952 §2.3; undefined where it does not begin so */
function gzipHeaderLength(bytes: Buffer): number | undefined {
  if (bytes.length < 10 || bytes.readUIntBE(0, 3) !== 0x1f8b08) return undefined;
  const flags = bytes.readUInt8(3);
  let at = 10;
  if (flags & 4) at += at + 2 <= bytes.length ? 2 + bytes.readUInt16LE(at) : 2;
  // A name and a comment, each up to a zero.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero === -1) return undefined;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : undefined;
}

const decoders: Readonly<Record<Exclude<ReadableCoding, 'identity'>, (bytes: Buffer) => Buffer>> = {
  gzip: gunzip,
  deflate: (bytes) => (isWrapped(bytes) ? inflateSync(bytes, cut) : inflateRawSync(bytes, cut)),
  br: (bytes) =>
    brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) =>
    zstdDecompressSync(bytes, { maxOutputLength, params: zstdParams, finishFlush: constants.ZSTD_e_flush }),
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
