import type { AddressWords, ParsedNetwork } from '@portcullis/contract/access';

/** What a set tells apart: owners are kept in 16 bits. */
export const maxOwners = 2 ** 16;

/** A network and the number of the list that names it, below {@link maxOwners}. */
export interface OwnedNetwork {
  readonly network: ParsedNetwork;
  readonly owner: number;
}

/** Entries that one set holds: what index and address share of a double's 53 bits. */
export const maxSetEntries = 2 ** 21 - 1;

/**
 * Networks as sorted, disjoint ranges in typed arrays: 10 bytes an IPv4 range, 34 an IPv6 range, found by binary
 * search. Overlaps are resolved when the set is built, so that a look-up is one search whatever the nesting.
 */
export class AddressSet {
  readonly #starts4: Uint32Array;
  readonly #ends4: Uint32Array;
  readonly #owners4: Uint16Array;
  /** four words a range, most significant first */
  readonly #starts6: Uint32Array;
  readonly #ends6: Uint32Array;
  readonly #owners6: Uint16Array;

  /** @throws RangeError above {@link maxSetEntries} */
  constructor(networks: readonly OwnedNetwork[]) {
    if (networks.length > maxSetEntries) {
      throw new RangeError(`A set of addresses holds ${maxSetEntries} entries; there are ${networks.length}`);
    }
    const v4 = disjoint4(networks);
    const v6 = disjoint6(networks);
    this.#starts4 = Uint32Array.from(v4.starts);
    this.#ends4 = Uint32Array.from(v4.ends);
    this.#owners4 = Uint16Array.from(v4.owners);
    this.#starts6 = Uint32Array.from(v6.starts.flat());
    this.#ends6 = Uint32Array.from(v6.ends.flat());
    this.#owners6 = Uint16Array.from(v6.owners);
  }

  /** ranges kept, after overlaps were resolved */
  get size(): number {
    return this.#owners4.length + this.#owners6.length;
  }

  /** @returns the owner of a network that holds the address, or -1 */
  find(words: AddressWords): number {
    return words.length === 1 ? this.#find4(words[0]) : this.#find6(words);
  }

  has(words: AddressWords): boolean {
    return this.find(words) !== -1;
  }

  #find4(word: number): number {
    const starts = this.#starts4;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= word) low = middle + 1;
      else high = middle;
    }
    return low > 0 && word <= (this.#ends4[low - 1] as number) ? (this.#owners4[low - 1] as number) : -1;
  }

  #find6(words: AddressWords): number {
    let low = 0;
    let high = this.#owners6.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAt(this.#starts6, middle, words) <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 && compareAt(this.#ends6, low - 1, words) >= 0 ? (this.#owners6[low - 1] as number) : -1;
  }
}

/** Below 0 where the entry at `index` is less than `words`, 0 where equal, above 0 where greater. */
function compareAt(array: Uint32Array, index: number, words: AddressWords): number {
  for (let word = 0; word < 4; word++) {
    const difference = (array[index * 4 + word] as number) - (words[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Ranges<T> {
  readonly starts: T[];
  readonly ends: T[];
  readonly owners: number[];
}

const spread = 2 ** 21;

/** Sorts natively as doubles, address in front and index behind: twenty times faster than a comparator. */
function disjoint4(networks: readonly OwnedNetwork[]): Ranges<number> {
  const keys = new Float64Array(networks.length);
  let count = 0;
  for (const [index, { network }] of networks.entries()) {
    if (network.words.length === 1) keys[count++] = first4(network) * spread + index;
  }
  const sorted = keys.subarray(0, count).sort();
  const ranges: Ranges<number> = { starts: [], ends: [], owners: [] };
  let last = -1;
  for (const key of sorted) {
    const entry = networks[key % spread] as OwnedNetwork;
    const end = last4(entry.network);
    if (end <= last) continue;
    ranges.starts.push(Math.max(first4(entry.network), last + 1));
    ranges.ends.push(end);
    ranges.owners.push(entry.owner);
    last = end;
  }
  return ranges;
}

const hostMask = (prefix: number) => (prefix === 0 ? 0xffffffff : 2 ** (32 - prefix) - 1);
const first4 = ({ words, prefix }: ParsedNetwork) => (words[0] & ~hostMask(prefix)) >>> 0;
const last4 = ({ words, prefix }: ParsedNetwork) => (words[0] | hostMask(prefix)) >>> 0;

function disjoint6(networks: readonly OwnedNetwork[]): Ranges<number[]> {
  const entries: { start: number[]; end: number[]; owner: number }[] = [];
  for (const { network, owner } of networks) {
    if (network.words.length === 4) entries.push({ ...bounds6(network), owner });
  }
  entries.sort((a, b) => compareWords(a.start, b.start));
  const ranges: Ranges<number[]> = { starts: [], ends: [], owners: [] };
  let last: number[] | undefined;
  for (const { start, end, owner } of entries) {
    if (last !== undefined && compareWords(end, last) <= 0) continue;
    const overlaps = last !== undefined && compareWords(start, last) <= 0;
    ranges.starts.push(overlaps && last !== undefined ? successor(last) : start);
    ranges.ends.push(end);
    ranges.owners.push(owner);
    last = end;
  }
  return ranges;
}

function bounds6({ words, prefix }: ParsedNetwork): { start: number[]; end: number[] } {
  const start: number[] = [];
  const end: number[] = [];
  for (let index = 0; index < 4; index++) {
    const bits = Math.min(32, Math.max(0, prefix - index * 32));
    const word = words[index] as number;
    start.push((word & ~hostMask(bits)) >>> 0);
    end.push(bits === 32 ? word : (word | hostMask(bits)) >>> 0);
  }
  return { start, end };
}

function compareWords(a: readonly number[], b: readonly number[]): number {
  for (let word = 0; word < 4; word++) {
    const difference = (a[word] as number) - (b[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function successor(words: readonly number[]): number[] {
  const next = [...words];
  for (let word = 3; word >= 0; word--) {
    next[word] = ((next[word] as number) + 1) >>> 0;
    if (next[word] !== 0) break;
  }
  return next;
}
