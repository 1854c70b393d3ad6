import type { Part } from '../parse/index.ts';
import type { Looked } from './look.ts';

/** A power of two; more values than this push each other out. */
const slotCount = 64;

/** Shorter values are scanned as soon as compared. */
export const worthKeeping = 48;

/**
 * What was found in the long values of one request: forms and lists repeat them, and comparing costs 30 ns whatever the
 * length, where a scan takes a nanosecond a character. Values stay where they stand, so that keeping one allocates nothing.
 */
export class LookedPieces {
  private readonly keys = new Int32Array(slotCount);
  private readonly starts = new Int32Array(slotCount);
  private readonly ends = new Int32Array(slotCount);
  private readonly texts: string[] = Array.from({ length: slotCount }, () => '');
  private readonly parts: Part[] = Array.from({ length: slotCount }, () => 'form');
  private readonly found: (Looked | undefined)[] = Array.from({ length: slotCount });
  private isEmpty = true;

  /** Tells pieces apart by their length and four characters; not zero. */
  keyOf(text: string, start: number, end: number): number {
    const length = end - start;
    const quarter = length >> 2;
    let key = Math.imul(length, 31) + text.charCodeAt(start + 1);
    key = Math.imul(key, 31) + text.charCodeAt(start + quarter);
    key = Math.imul(key, 31) + text.charCodeAt(start + 2 * quarter);
    key = Math.imul(key, 31) + text.charCodeAt(end - 2);
    // The upper bits hold what all of them add up to.
    return Math.imul(key, 0x9e3779b1) | 1;
  }

  /** @returns what was found in the same text in the same part; undefined where none was kept */
  find(key: number, text: string, start: number, end: number, part: Part): Looked | undefined {
    const slot = key >>> slotShift;
    if (this.keys[slot] !== key || this.parts[slot] !== part) return undefined;
    const from = this.starts[slot] as number;
    const to = this.ends[slot] as number;
    const isSame = (this.texts[slot] as string).slice(from, to) === text.slice(start, end);
    return isSame ? this.found[slot] : undefined;
  }

  add(key: number, text: string, start: number, end: number, part: Part, found: Looked): void {
    const slot = key >>> slotShift;
    this.keys[slot] = key;
    this.starts[slot] = start;
    this.ends[slot] = end;
    this.texts[slot] = text;
    this.parts[slot] = part;
    this.found[slot] = found;
    this.isEmpty = false;
  }

  /** Lets go of a request. */
  forget(): void {
    if (this.isEmpty) return;
    this.keys.fill(0);
    this.texts.fill('');
    this.found.fill(undefined);
    this.isEmpty = true;
  }
}

const slotShift = 32 - Math.log2(slotCount);
