import { inspectResponse, type Leak } from '@portcullis/engine';
import type { LeakKind } from '@portcullis/engine/vocabulary';

/** What may be found stretches over no more than this; so much of what passed is looked at again with what follows. */
const overlap = 2048;

/** Bytes of an answer that are looked at on its way, its beginning with them: each costs the time of others. */
const maxBytes = 1024 * 1024;

/** Where a pattern asks for the beginning of a file: what stands in the middle is none. */
const notTheBeginning = '\0';

/** Looks at an answer piece by piece as it passes. */
export class LeakWindow {
  readonly #kinds: ReadonlySet<LeakKind>;
  #tail: string;
  #seen: number;

  /** @param seen the beginning, which was looked at as a whole */
  constructor(kinds: ReadonlySet<LeakKind>, seen: Buffer) {
    this.#kinds = kinds;
    this.#tail = seen.subarray(-overlap).toString('latin1');
    this.#seen = seen.length;
  }

  /** bytes */
  get seen(): number {
    return this.#seen;
  }

  /** Whether no more is looked at. */
  get full(): boolean {
    return this.#seen >= maxBytes;
  }

  /** @returns what is found with the next piece */
  look(piece: Buffer): Leak | undefined {
    const lead = this.#seen === 0 ? '' : notTheBeginning;
    const text = lead + this.#tail + piece.toString('latin1');
    this.#seen += piece.length;
    this.#tail = text.slice(-overlap);
    return inspectResponse(text, this.#kinds);
  }
}
