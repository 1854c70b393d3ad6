import type { Transform } from 'node:stream';
import {
  type BrotliOptions,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompressSync,
} from 'node:zlib';

/** Content codings that can be read, RFC 9110 §8.4.1. */
export const readableCodings = ['identity', 'gzip', 'deflate', 'br', 'zstd'] as const;
export type ReadableCoding = (typeof readableCodings)[number];
export type Coded = Exclude<ReadableCoding, 'identity'>;

/** What the beginning of an answer may grow to: a bomb is not worth more. */
const maxOutputLength = 1024 * 1024;

/** Each member takes a decoder of its own: so many are made in one turn. */
const maxMembersATurn = 32;

/** So many are made for one body, and one more for each KiB of it: bgzip writes one for each 64 KiB. */
const maxMembers = 1024;
const bytesAMember = 1024;

/** Bytes that come out of a stream at a time: so much is looked at in one turn. */
const chunkSize = 64 * 1024;

// The input is cut off somewhere: what can be decoded is given without its end.
const cut: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const cutBrotli: BrotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
/** RFC 9659: no recipient has to hold more than 8 MiB of window. */
const zstdParams = { [constants.ZSTD_d_windowLogMax]: 23 };
const cutZstd: ZstdOptions = { params: zstdParams, finishFlush: constants.ZSTD_e_flush };

interface Member {
  /** bytes of its header */
  readonly header: number;
  /** bytes behind its data: checksums, which are not looked at, for not all who read it do */
  readonly trailer: number;
}

/**
 * What stands at a place where a member of a coded body may begin. `more`: that takes further bytes to tell;
 * `foreign`: no member, as a blank line that PHP leaves behind what it compressed
 */
type Place = Member | 'more' | 'foreign';

/** A name and a comment in a header of gzip are longer in no file. */
const maxHeaderBytes = 4096;

/** RFC 1952 §2.3. */
function gzipMember(bytes: Buffer): Place {
  const magic = [0x1f, 0x8b, 0x08];
  if (bytes.subarray(0, 3).some((byte, at) => byte !== magic[at])) return 'foreign';
  const more = bytes.length > maxHeaderBytes ? 'foreign' : 'more';
  if (bytes.length < 10) return more;
  const flags = bytes.readUInt8(3);
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return more;
    at += 2 + bytes.readUInt16LE(at);
  }
  // A name and a comment, each up to a zero.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero === -1) return more;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? { header: at, trailer: 8 } : more;
}

/**
 * Some servers leave the wrapper of zlib away, and browsers read that too: RFC 9110 §8.4.1.2, RFC 1950 §2.2.
 * A dictionary that was agreed on before is nobody's on the web.
 */
function deflateMember(bytes: Buffer): Place {
  if (bytes.length < 2) return 'more';
  const wrapped = (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  if (!wrapped) return { header: 0, trailer: 0 };
  return bytes.readUInt8(1) & 0x20 ? 'foreign' : { header: 2, trailer: 4 };
}

/** RFC 8878 §3.1: a frame, or one that is to be skipped. */
function zstdMember(bytes: Buffer): Place {
  if (bytes.length < 4) return 'more';
  const magic = bytes.readUInt32LE(0);
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5 ? { header: 0, trailer: 0 } : 'foreign';
}

interface Format {
  readonly member: (bytes: Buffer) => Place;
  /** whether another member may follow. Not all who read gzip go on to it, some do */
  readonly many: boolean;
  /** the engine tells how far it read */
  readonly decodeSync: (bytes: Buffer, maxLength: number) => { buffer: Buffer; engine: Engine };
  readonly createDecoder: () => Transform & Engine;
}
interface Engine {
  readonly bytesWritten: number;
}

/** What a result is with `info`, which the types leave out. */
const informed = (decoded: unknown) => decoded as { buffer: Buffer; engine: Engine };

const inflating: Pick<Format, 'decodeSync' | 'createDecoder'> = {
  decodeSync: (bytes, maxLength) =>
    informed(inflateRawSync(bytes, { ...cut, maxOutputLength: maxLength, info: true })),
  createDecoder: () => createInflateRaw({ chunkSize, flush: constants.Z_SYNC_FLUSH }),
};

const formats: Readonly<Record<Coded, Format>> = {
  gzip: { ...inflating, member: gzipMember, many: true },
  deflate: { ...inflating, member: deflateMember, many: false },
  br: {
    member: () => ({ header: 0, trailer: 0 }),
    many: false,
    decodeSync: (bytes, maxLength) =>
      informed(brotliDecompressSync(bytes, { ...cutBrotli, maxOutputLength: maxLength, info: true })),
    createDecoder: () => createBrotliDecompress({ chunkSize }),
  },
  zstd: {
    member: zstdMember,
    many: true,
    decodeSync: (bytes, maxLength) =>
      informed(zstdDecompressSync(bytes, { ...cutZstd, maxOutputLength: maxLength, info: true })),
    createDecoder: () => createZstdDecompress({ chunkSize, params: zstdParams }),
  },
};

/** The member at a place of a body. `broken`: where one must begin none does */
function memberAt(coding: Coded, bytes: Buffer, first: boolean): Place | 'broken' {
  const { member, many } = formats[coding];
  if (!first && !many) return 'foreign';
  const place = member(bytes);
  return place === 'foreign' && first ? 'broken' : place;
}

/**
 * All members, and what stands behind the last one as it is.
 * @returns `much` where there are too many. @throws where one cannot be decoded or grows too much
 */
function decode(coding: Coded, bytes: Buffer): Buffer | 'much' {
  const parts: Buffer[] = [];
  let at = 0;
  let length = 0;
  while (at < bytes.length && length < maxOutputLength) {
    const rest = bytes.subarray(at);
    const place = memberAt(coding, rest, at === 0);
    if (place === 'more') break;
    if (place === 'broken') throw new Error('what it is said to be coded in does not begin so');
    if (place === 'foreign') {
      parts.push(rest);
      break;
    }
    if (parts.length === maxMembersATurn) return 'much';
    const { header, trailer } = place;
    const { buffer, engine } = formats[coding].decodeSync(rest.subarray(header), maxOutputLength - length);
    parts.push(buffer);
    length += buffer.length;
    at += header + engine.bytesWritten + trailer;
    if (header + engine.bytesWritten === 0) break;
  }
  return Buffer.concat(parts);
}

/**
 * Decodes the beginning of a body.
 * @returns what came out; `much` where that is more than 1 MiB or takes too long for one turn, `damaged` where the bytes are not of this coding
 */
export function decodePrefix(coding: ReadableCoding, bytes: Buffer): Buffer | 'much' | 'damaged' {
  if (coding === 'identity') return bytes;
  try {
    return decode(coding, bytes);
  } catch (error) {
    const tooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return tooMuch ? 'much' : 'damaged';
  }
}

/** How far a {@link BodyDecoder} came with a piece: it may go on, or it met what cannot be decoded. */
export type Progress = 'decoded' | 'damaged';

/**
 * Decodes a body piece by piece in a thread of the system's, as {@link decodePrefix} does: member after member, and what
 * stands behind the last as it is. More than 1024 members, and one for each KiB, count as damage.
 */
export class BodyDecoder {
  readonly #coding: Coded;
  readonly #onData: (bytes: Buffer) => void;
  readonly #queue: { bytes: Buffer; readonly done: (progress: Progress) => void }[] = [];
  #decoder: (Transform & Engine) | undefined;
  #trailer = 0;
  /** bytes of the member that is left to be passed over, or of a header that is not whole */
  #skip = 0;
  #head: Buffer = Buffer.alloc(0);
  #members = 0;
  /** bytes */
  #came = 0;
  #foreign = false;
  #damaged = false;
  #closed = false;
  #turning = false;

  constructor(coding: Coded, onData: (bytes: Buffer) => void) {
    this.#coding = coding;
    this.#onData = onData;
  }

  /** @param done told once all that comes of the piece was given; never after {@link close} */
  write(bytes: Buffer, done: (progress: Progress) => void): void {
    this.#came += bytes.length;
    this.#queue.push({ bytes, done });
    if (this.#turning) return;
    this.#turning = true;
    // Never at once: who is told lets the upstream go on, which may be giving this very piece.
    process.nextTick(() => this.#turn());
  }

  /** Safe to repeat. */
  close(): void {
    this.#closed = true;
    this.#queue.length = 0;
    this.#drop();
  }

  /** Goes on with the first piece, until the system has to work on it or nothing is left. */
  #turn(): void {
    for (let piece = this.#queue[0]; piece !== undefined; piece = this.#queue[0]) {
      while (piece.bytes.length > 0 && !this.#damaged && this.#decoder === undefined) this.#step(piece);
      if (this.#closed) break;
      if (piece.bytes.length > 0 && !this.#damaged) {
        this.#decode(piece);
        return;
      }
      this.#queue.shift();
      piece.done(this.#damaged ? 'damaged' : 'decoded');
    }
    this.#turning = false;
  }

  /** What stands between two members. */
  #step(piece: { bytes: Buffer }): void {
    if (this.#foreign) {
      const { bytes } = piece;
      piece.bytes = bytes.subarray(bytes.length);
      this.#onData(bytes);
      return;
    }
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, piece.bytes.length);
      this.#skip -= skipped;
      piece.bytes = piece.bytes.subarray(skipped);
      return;
    }
    const bytes = this.#head.length === 0 ? piece.bytes : Buffer.concat([this.#head, piece.bytes]);
    this.#head = Buffer.alloc(0);
    const place = memberAt(this.#coding, bytes, this.#members === 0);
    piece.bytes = bytes;
    if (place === 'broken') this.#damaged = true;
    else if (place === 'foreign') this.#foreign = true;
    else if (place === 'more') {
      this.#head = bytes;
      piece.bytes = bytes.subarray(bytes.length);
    } else if (this.#members >= maxMembers + this.#came / bytesAMember) this.#damaged = true;
    else {
      piece.bytes = bytes.subarray(place.header);
      this.#begin(place);
    }
  }

  #begin({ trailer }: Member): void {
    this.#members += 1;
    this.#trailer = trailer;
    this.#decoder = formats[this.#coding].createDecoder();
    this.#decoder.on('data', (bytes: Buffer) => {
      if (!this.#closed) this.#onData(bytes);
    });
    this.#decoder.on('error', () => {
      this.#damaged = true;
      this.#drop();
      if (!this.#closed) this.#turn();
    });
  }

  #decode(piece: { bytes: Buffer }): void {
    const decoder = this.#decoder;
    const before = decoder?.bytesWritten ?? 0;
    decoder?.write(piece.bytes, (error) => {
      if (this.#closed || error || this.#damaged) return;
      const read = decoder.bytesWritten - before;
      const ended = read < piece.bytes.length;
      piece.bytes = piece.bytes.subarray(read);
      const next = () => {
        this.#skip = this.#trailer;
        this.#drop();
        if (!this.#closed) this.#turn();
      };
      if (!ended) this.#turn();
      else if (decoder.readableEnded) next();
      else decoder.once('end', next);
    });
  }

  #drop(): void {
    this.#decoder?.destroy();
    this.#decoder = undefined;
  }
}
