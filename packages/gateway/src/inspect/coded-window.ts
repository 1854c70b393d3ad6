import type { Leak } from '@portcullis/engine';
import type { HeldMemory, Holder } from '../limits/index.ts';
import { BodyDecoder, type Coded, type Progress } from './content-coding.ts';
import type { LeakWindow } from './leak-window.ts';

/** What a decoder holds with what came out of it: the windows of br and zstd grow with what passes, up to where looking ends. */
const heldBytes: Readonly<Record<Coded, number>> = {
  gzip: 128 * 1024,
  deflate: 128 * 1024,
  br: 1024 * 1024,
  zstd: 1024 * 1024,
};

/** Told what was found so far, and whether there came something that cannot be decoded. */
type Told = (leak: Leak | undefined, progress: Progress) => void;

/** How an answer is followed. */
interface Following {
  readonly coding: Coded;
  /** the beginning as it came; what it decodes to is what the window has seen, perhaps not to its end */
  readonly seen: Buffer;
  /** whether others may be made to give way */
  readonly mayPress: boolean;
  /** called where this one has to, after which it is to be closed */
  readonly giveWay: () => void;
  /** what comes out of the decoder goes through here: nobody stands above it who would catch a fault */
  readonly attempt: (step: () => void) => void;
}

/**
 * Looks at an answer that comes compressed as it passes: a copy is decoded, in a thread of the system's. To ask the
 * upstream for it uncompressed would cost every client the bandwidth, for the gateway compresses nothing.
 */
export class CodedWindow {
  readonly #window: LeakWindow;
  readonly #memory: HeldMemory;
  readonly #held: Holder = { heldBytes: 0 };
  #decoder: BodyDecoder | undefined;
  /** of what comes out, bytes that the window has seen already */
  #known: number;
  #leak: Leak | undefined;
  /** who waits for what is being decoded, in order */
  readonly #waiting: Told[] = [];
  #giveWay: () => void = () => undefined;

  /** @param memory what the decoder holds is taken from */
  constructor(window: LeakWindow, memory: HeldMemory) {
    this.#window = window;
    this.#memory = memory;
    this.#known = window.seen;
  }

  /**
   * To be called once, before any {@link look}.
   * @param then told once the beginning was decoded
   * @returns false where there is no memory for it
   */
  open({ coding, seen, mayPress, giveWay, attempt }: Following, then: Told): boolean {
    const bytes = heldBytes[coding];
    const { held, max } = this.#memory;
    if ((!mayPress && held + bytes > max) || !this.#memory.take(this.#held, bytes)) return false;
    this.#giveWay = giveWay;
    this.#stand();
    this.#decoder = new BodyDecoder(coding, (bytes) => attempt(() => this.#came(bytes)));
    this.#write(seen, then);
    return true;
  }

  /** Whether no more is looked at. */
  get full(): boolean {
    return this.#decoder === undefined;
  }

  /** Whether somebody waits for what is being decoded. */
  get busy(): boolean {
    return this.#waiting.length > 0;
  }

  /** @param then told what was found up to the end of the next piece, once it was decoded. Not to be called where it is full. */
  look(piece: Buffer, then: Told): void {
    // To the end of the line: whose client has not read for longest gives way first.
    if (this.#held.heldBytes > 0) {
      this.#memory.arrived(this.#held);
      this.#stand();
    }
    this.#write(piece, then);
  }

  /** Lets go of the decoder. Safe to repeat. */
  close(): void {
    this.#memory.give(this.#held);
    this.#decoder?.close();
    this.#decoder = undefined;
    while (this.busy) this.#tell('decoded');
  }

  /** At the end of the line of those who may be made to give way. */
  #stand(): void {
    this.#memory.arriving(this.#held, () => {
      if (!this.full) this.#giveWay();
    });
  }

  #write(bytes: Buffer, then: Told): void {
    this.#waiting.push(then);
    this.#decoder?.write(bytes, (progress) => {
      this.#tell(progress);
      if (progress === 'damaged') this.close();
    });
  }

  #came(bytes: Buffer): void {
    const fresh = bytes.subarray(Math.min(this.#known, bytes.length));
    this.#known -= bytes.length - fresh.length;
    if (fresh.length === 0 || this.#leak !== undefined) return;
    this.#leak = this.#window.look(fresh);
    if (this.#leak !== undefined || this.#window.full) this.close();
  }

  #tell(progress: Progress): void {
    this.#waiting.shift()?.(this.#leak, progress);
  }
}
