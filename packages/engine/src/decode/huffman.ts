/** The bits of a deflate stream, from the lowest of each byte on. */
export interface BitReader {
  readonly input: Uint8Array;
  at: number;
  /** taken from the input and not used yet, `held` of them */
  bits: number;
  held: number;
}

/** Reads ahead, past the end of the input as zeros, so that at least 24 bits are held. */
function fill(state: BitReader): void {
  while (state.held < 24) {
    state.bits |= (state.input[state.at] ?? 0) << state.held;
    state.at += 1;
    state.held += 8;
  }
}

/** The next bits as a number. @param count at most 16 */
export function takeBits(state: BitReader, count: number): number {
  fill(state);
  const value = state.bits & ((1 << count) - 1);
  state.bits >>>= count;
  state.held -= count;
  return value;
}

/** Whether more was used than the input had. */
export function isOverrun({ at, held, input }: BitReader): boolean {
  return at * 8 - held > input.length * 8;
}

/** Codes up to this many bits are read with one look into a table. */
const tableBits = 9;
const maxCodeBits = 15;

/** A canonical Huffman code. @see RFC 1951 §3.2.2 */
export interface Huffman {
  /** the next bits of the input → `symbol << 4 | length`; 0 where a longer code begins, or none */
  readonly table: Uint16Array;
  /** how many codes of each length */
  readonly counts: Uint16Array;
  /** in order of code */
  readonly symbols: Uint16Array;
}

/** A code for that many symbols, with no lengths yet. */
export function newHuffman(symbolCount: number): Huffman {
  return {
    table: new Uint16Array(1 << tableBits),
    counts: new Uint16Array(maxCodeBits + 1),
    symbols: new Uint16Array(symbolCount),
  };
}

const offsets = new Uint16Array(maxCodeBits + 2);

/**
 * Sets a code to one of these lengths.
 * @returns false where no code can have them, for there are too many short ones
 */
export function setLengths({ table, counts, symbols }: Huffman, lengths: Uint8Array): boolean {
  counts.fill(0);
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] as number;
    counts[length] = (counts[length] as number) + 1;
  }
  counts[0] = 0;
  offsets[1] = 0;
  let left = 1;
  for (let length = 1; length <= maxCodeBits; length += 1) {
    left = left * 2 - (counts[length] as number);
    if (left < 0) return false;
    offsets[length + 1] = (offsets[length] as number) + (counts[length] as number);
  }
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const place = offsets[length] as number;
    symbols[place] = symbol;
    offsets[length] = place + 1;
  }
  fillTable(table, counts, symbols);
  return true;
}

function fillTable(table: Uint16Array, counts: Uint16Array, symbols: Uint16Array): void {
  table.fill(0);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= tableBits; length += 1, code <<= 1) {
    for (let count = counts[length] as number; count > 0; count -= 1, code += 1, index += 1) {
      const entry = ((symbols[index] as number) << 4) | length;
      for (let at = reversed(code, length); at < table.length; at += 1 << length) table[at] = entry;
    }
  }
}

/** Codes come with their first bit first, all other numbers with their last. RFC 1951 §3.1.1 */
function reversed(code: number, length: number): number {
  let bits = 0;
  for (let at = 0; at < length; at += 1) bits |= ((code >> at) & 1) << (length - 1 - at);
  return bits;
}

/** @returns the next symbol, or -1 for bits that are no code */
export function readSymbol(state: BitReader, huffman: Huffman): number {
  fill(state);
  const entry = huffman.table[state.bits & ((1 << tableBits) - 1)] as number;
  if (entry === 0) return readLongSymbol(state, huffman);
  state.bits >>>= entry & 15;
  state.held -= entry & 15;
  return entry >> 4;
}

function readLongSymbol(state: BitReader, { counts, symbols }: Huffman): number {
  let code = 0;
  let first = 0;
  let index = 0;
  for (let length = 1; length <= maxCodeBits; length += 1) {
    code |= takeBits(state, 1);
    const count = counts[length] as number;
    if (code - first < count) return symbols[index + code - first] as number;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}
