import { copyOf } from './one-piece.ts';

/**
 * Texts that held nothing, from one request to the next: names of fields and most of their values are those of the
 * request before, and comparing one takes 30 ns where looking into it takes 150 and running rules on it thousands. A
 * short one is copied when it comes for the second time; the first leaves a key.
 */
export class KnownPieces {
  /** of each slot: the place in the lower twelve bits, and what tells most texts apart above */
  private readonly keys: Int32Array;
  private readonly texts: string[];
  private readonly shift: number;
  private readonly longest: number;
  private readonly atOnce: boolean;

  /**
   * @param slots a power of two: so many are kept at most, and those that fall on one slot push each other out
   * @param longest in characters; longer ones are not kept
   * @param atOnce whether a text is copied the first time: where that costs little beside what it spares
   */
  constructor({ slots, longest, atOnce }: Bounds) {
    this.keys = new Int32Array(slots);
    this.texts = Array.from({ length: slots }, () => '');
    this.shift = 32 - Math.log2(slots);
    this.longest = longest;
    this.atOnce = atOnce;
  }

  /**
   * Tells pieces of two characters or more apart by their length and a few characters, and wholly by their places.
   * @param place below 4095: pieces of other places are other pieces
   * @returns zero for those that are too long to be kept
   */
  keyOf(text: string, start: number, end: number, place: number): number {
    const length = end - start;
    if (length > this.longest) return 0;
    const quarter = length >> 2;
    let key = Math.imul(length, 31) + text.charCodeAt(start);
    key = Math.imul(key, 31) + text.charCodeAt(start + 1);
    key = Math.imul(key, 31) + text.charCodeAt(start + quarter);
    key = Math.imul(key, 31) + text.charCodeAt(start + 2 * quarter);
    key = Math.imul(key, 31) + text.charCodeAt(end - 2);
    key = Math.imul(key, 31) + text.charCodeAt(end - 1);
    // The upper bits hold what all of them add up to.
    return (Math.imul(key, 0x9e3779b1) & ~placeBits) | (place + 1);
  }

  /** Whether this very piece held nothing in a like place. */
  knows(key: number, text: string, start: number, end: number): boolean {
    const slot = key >>> this.shift;
    if (this.keys[slot] !== key) return false;
    const known = this.texts[slot] as string;
    return known.length === end - start && known === text.slice(start, end);
  }

  /** Takes note of one that held nothing. */
  learn(key: number, text: string, start: number, end: number): void {
    const slot = key >>> this.shift;
    if (this.atOnce || this.keys[slot] === key) {
      this.keys[slot] = key;
      this.texts[slot] = copyOf(text.slice(start, end));
      return;
    }
    this.keys[slot] = key;
    // The text of another place would be taken for this one's.
    if (this.texts[slot] !== '') this.texts[slot] = '';
  }
}

const placeBits = 0xfff;

interface Bounds {
  readonly slots: number;
  readonly longest: number;
  readonly atOnce: boolean;
}
