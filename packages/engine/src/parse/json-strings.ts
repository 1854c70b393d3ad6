import type { Look } from './value.ts';

/** A string of a document, read once however often it comes. */
export interface JsonString {
  /** where it stands, between its quotes */
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly isName: boolean;
  /** what it says, where it is written with escapes */
  readonly unescaped: string | undefined;
  /** what it says, once asked for */
  text: string | undefined;
  /** what a first look at it found */
  readonly look: Look | undefined;
  /** the string that came behind it the last time */
  next: JsonString | undefined;
}

/** Stands before the first string of a document or of an element of a list. */
export function before(): JsonString {
  return {
    source: '',
    from: 0,
    to: 0,
    isName: false,
    unescaped: undefined,
    text: undefined,
    look: undefined,
    next: undefined,
  };
}

/** More characters are compared sooner by the platform, 30 ns for a hundred or a thousand. */
const comparedByHand = 12;

/**
 * Tells which string is to be expected: documents are lists of things alike, each with the names and most of the values
 * of the one before. Comparing a string with the one that came at its place costs a tenth of reading it.
 */
export class JsonStrings {
  private readonly source: string;
  /** the string read last, or what stands before the first */
  private last: JsonString;
  /** a name that was expected where another came, which may come next */
  private held: JsonString | undefined;

  constructor(source: string, head: JsonString) {
    this.source = source;
    this.last = head;
  }

  /** Goes on from another place than behind the string that was read last. */
  goOnFrom(place: JsonString): void {
    this.last = place;
    this.held = undefined;
  }

  /** @returns the string that begins there, if it was expected; it counts as read */
  find(from: number, isName: boolean): JsonString | undefined {
    const expected = this.last.next;
    if (expected === undefined) return undefined;
    if (this.stands(expected, from, isName)) return this.take(expected);
    // One that comes in some only may be left out here.
    const after = isName ? expected.next?.next : undefined;
    return after !== undefined && this.stands(after, from, isName) ? this.take(after) : undefined;
  }

  /** Takes note of one that was not expected. */
  add(string: JsonString): void {
    const expected = this.last.next;
    if (expected?.isName === true && string.isName) this.held = expected;
    else if (expected !== undefined && expected.isName === string.isName) string.next = expected.next;
    if (!string.isName && string.next === undefined) {
      string.next = this.held;
      this.held = undefined;
    }
    this.take(string);
  }

  private take(string: JsonString): JsonString {
    this.last.next = string;
    this.last = string;
    return string;
  }

  private stands(expected: JsonString, start: number, isName: boolean): boolean {
    const { source } = this;
    const { source: other, from } = expected;
    const length = expected.to - from;
    if (expected.isName !== isName || source.charCodeAt(start + length) !== 34) return false;
    const compared = Math.min(length, comparedByHand);
    for (let at = 0; at < compared; at += 1)
      if (other.charCodeAt(from + at) !== source.charCodeAt(start + at)) return false;
    return length === compared || other.slice(from, from + length) === source.slice(start, start + length);
  }
}
