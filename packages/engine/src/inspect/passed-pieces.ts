import type { Part } from '../parse/index.ts';

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly part: Part;
  readonly isName: boolean;
}

const slotCount = 32;

/** Shorter ones are scanned as soon as compared. */
export const worthKeeping = 48;

/** Long pieces of one request that were passed over: forms and lists repeat them, and comparing costs 30 ns whatever the length. */
export class PassedPieces {
  private readonly slots: (Piece | undefined)[] = Array.from({ length: slotCount });
  private isEmpty = true;

  /** Whether the same text was passed over in a like place. */
  has(text: string, start: number, end: number, part: Part, isName: boolean): boolean {
    const known = this.slots[slotOf(text, start, end)];
    if (!known || known.end - known.start !== end - start) return false;
    if (known.part !== part || known.isName !== isName) return false;
    return known.text.slice(known.start, known.end) === text.slice(start, end);
  }

  add(text: string, start: number, end: number, part: Part, isName: boolean): void {
    this.slots[slotOf(text, start, end)] = { text, start, end, part, isName };
    this.isEmpty = false;
  }

  /** Lets go of a request. */
  forget(): void {
    if (this.isEmpty) return;
    this.slots.fill(undefined);
    this.isEmpty = true;
  }
}

function slotOf(text: string, start: number, end: number): number {
  const middle = (start + end) >> 1;
  const sum = text.charCodeAt(start) + text.charCodeAt(middle) * 3 + text.charCodeAt(end - 1) * 7;
  return (end - start + sum) & (slotCount - 1);
}
