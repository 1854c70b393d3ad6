import type { ParsedNetwork } from '@portcullis/contract/access';

const shareCount = 64;

/**
 * Which share an entry belongs to, by ten bits of its number. Some get twice as many entries as others, with all
 * between: shares of one size would all double their room within the same few thousand entries.
 */
const shareOf = Array.from({ length: 1024 }, (_, part) =>
  Math.floor(shareCount * Math.log2(1 + part / 1024)),
);

/** Places that are tried. Who makes addresses of one number on purpose gets no further than here. */
const maxTries = 64;

/** A number of 32 bits that is another one for nearly every other network. */
function numberOf({ words, prefix }: ParsedNetwork): number {
  let mixed = prefix;
  for (const word of words) {
    mixed = Math.imul(mixed ^ word, 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}

/** Some of the entries, found by their numbers. */
class Share {
  #numbers = new Uint32Array(64);
  /** where each stands in the list, from 1; 0 is a free place */
  #places = new Uint32Array(64);
  #size = 0;
  #others: Set<string> | undefined;

  /** @returns whether it was not there yet */
  add(entry: string, number: number, place: number, entryAt: (place: number) => string | undefined): boolean {
    if (this.#size * 2 >= this.#places.length) this.#grow(entryAt);
    const mask = this.#places.length - 1;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const at = (number + tries) & mask;
      const there = this.#places[at] ?? 0;
      if (there === 0) {
        // It may have had no place here before this grew.
        if (this.#others?.has(entry)) return false;
        this.#numbers[at] = number;
        this.#places[at] = place + 1;
        this.#size += 1;
        return true;
      }
      if (this.#numbers[at] === number && entryAt(there - 1) === entry) return false;
    }
    this.#others ??= new Set();
    if (this.#others.has(entry)) return false;
    this.#others.add(entry);
    return true;
  }

  #grow(entryAt: (place: number) => string | undefined): void {
    const [numbers, places] = [this.#numbers, this.#places];
    this.#numbers = new Uint32Array(2 * places.length);
    this.#places = new Uint32Array(2 * places.length);
    this.#size = 0;
    for (const [at, there] of places.entries()) {
      const entry = there === 0 ? undefined : entryAt(there - 1);
      if (entry !== undefined) this.add(entry, numbers[at] ?? 0, there - 1, entryAt);
    }
  }
}

/**
 * What was seen already of a list. One set of a million texts would stand still to grow, for as long as no call may
 * wait, and looks into a text for each that it compares: these grow one by one, and compare numbers first.
 */
export class Seen {
  readonly #shares = Array.from({ length: shareCount }, () => new Share());
  readonly #entryAt: (place: number) => string | undefined;

  /** @param entryAt the list, as far as it was seen */
  constructor(entryAt: (place: number) => string | undefined) {
    this.#entryAt = entryAt;
  }

  /** @param place where it is to stand in the list. @returns whether it was not there yet */
  add(entry: string, network: ParsedNetwork, place: number): boolean {
    const number = numberOf(network);
    const share = this.#shares[shareOf[number >>> 22] ?? 0];
    return share?.add(entry, number, place, this.#entryAt) ?? false;
  }
}
