import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import type { Leak } from '@portcullis/engine';
import type { HeldMemory, Holder } from '../limits/index.ts';
import { createInflater, type ReadableCoding, zstdParams } from './content-coding.ts';
import type { LeakWindow } from './leak-window.ts';

type Coded = Exclude<ReadableCoding, 'identity'>;

/** Bytes that come out at a time: so much is looked at in one turn. */
const chunkSize = 64 * 1024;

const zlib = { chunkSize, flush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<Coded, (first: Buffer) => Transform>> = {
  gzip: () => createGunzip(zlib),
  deflate: (first) => createInflater(first, zlib),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize, params: zstdParams }),
};

/** What a decoder holds with what came out of it: the windows of br and zstd grow with what passes, up to where looking ends. */
const heldBytes: Readonly<Record<Coded, number>> = {
  gzip: 128 * 1024,
  deflate: 128 * 1024,
  br: 1024 * 1024,
  zstd: 1024 * 1024,
};

/**
 * Looks at an answer that comes compressed as it passes: a copy is decoded, in a thread of the system's. To ask the
 * upstream for it uncompressed would cost every client the bandwidth, for the gateway compresses nothing.
 */
export class CodedWindow {
  readonly #window: LeakWindow;
  readonly #memory: HeldMemory;
  readonly #held: Holder = { heldBytes: 0 };
  #decoder: Transform | undefined;
  /** of what comes out, bytes that the window has seen already */
  #known: number;
  #leak: Leak | undefined;
  /** told what was found with the piece that is being decoded */
  #told: ((leak: Leak | undefined) => void) | undefined;

  /** @param memory what the decoder holds is taken from */
  constructor(window: LeakWindow, memory: HeldMemory) {
    this.#window = window;
    this.#memory = memory;
    this.#known = window.seen;
  }

  /**
   * To be called once, before any {@link look}.
   * @param seen the beginning as it came; what it decodes to is what the window has seen
   * @param mayPress whether others may be made to give way
   * @returns false where there is no memory for it
   */
  open(coding: Coded, seen: Buffer, mayPress: boolean): boolean {
    const bytes = heldBytes[coding];
    const { held, max } = this.#memory;
    if ((!mayPress && held + bytes > max) || !this.#memory.take(this.#held, bytes)) return false;
    const decoder = decoders[coding](seen);
    this.#decoder = decoder;
    decoder.on('data', (bytes: Buffer) => this.#came(bytes));
    // Bytes that are not of this coding, or that stand behind its end: the client cannot read on either.
    for (const event of ['error', 'end']) decoder.on(event, () => this.close());
    decoder.write(seen);
    return true;
  }

  /** Whether no more is looked at. */
  get full(): boolean {
    return this.#decoder === undefined;
  }

  /** what was found */
  get leak(): Leak | undefined {
    return this.#leak;
  }

  /** @param then told what was found up to the end of the next piece, once it was decoded. Never where it is full. */
  look(piece: Buffer, then: (leak: Leak | undefined) => void): void {
    this.#told = then;
    this.#decoder?.write(piece, () => this.#tell());
  }

  /** Lets go of the decoder. Safe to repeat. */
  close(): void {
    this.#memory.give(this.#held);
    this.#decoder?.destroy();
    this.#decoder = undefined;
    this.#tell();
  }

  #came(bytes: Buffer): void {
    const fresh = bytes.subarray(Math.min(this.#known, bytes.length));
    this.#known -= bytes.length - fresh.length;
    if (fresh.length === 0 || this.#leak !== undefined) return;
    this.#leak = this.#window.look(fresh);
    if (this.#leak !== undefined || this.#window.full) this.close();
  }

  #tell(): void {
    const told = this.#told;
    this.#told = undefined;
    told?.(this.#leak);
  }
}
