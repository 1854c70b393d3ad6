/** What came out of a compressed body, and why it ended. */
export interface Inflated {
  readonly bytes: Uint8Array;
  /** `bounded`: more would have come; `malformed`: the stream broke, what came before is kept */
  readonly end: 'complete' | 'bounded' | 'malformed';
}

/**
 * Decompresses gzip, zlib or raw deflate (told apart by their first bytes) up to `maxBytes`, so that a bomb
 * costs no more than that. Checksums are not compared: a wrong one does not make the content harmless.
 * Never throws.
 * @see RFC 1951, RFC 1950, RFC 1952
 */
export function inflate(compressed: Uint8Array, maxBytes: number): Inflated {
  const start = headerLength(compressed);
  if (start === undefined) return { bytes: new Uint8Array(0), end: 'malformed' };
  const state: State = {
    input: compressed,
    at: start,
    bits: 0,
    held: 0,
    output: new Uint8Array(4096),
    length: 0,
    maxBytes,
  };
  const end = inflateBlocks(state);
  return { bytes: state.output.subarray(0, Math.min(state.length, maxBytes)), end };
}

interface State {
  readonly input: Uint8Array;
  at: number;
  bits: number;
  held: number;
  output: Uint8Array;
  length: number;
  readonly maxBytes: number;
}

function headerLength(input: Uint8Array): number | undefined {
  const [first = 0, second = 0, , flags = 0] = input;
  if (first === 0x1f && second === 0x8b) {
    let at = 10;
    if (flags & 4) at += 2 + (input[at] ?? 0) + (input[at + 1] ?? 0) * 256;
    for (const flag of [8, 16]) {
      if (flags & flag) at = input.indexOf(0, at) + 1 || input.length;
    }
    if (flags & 2) at += 2;
    return at <= input.length ? at : undefined;
  }
  return (first & 15) === 8 && (first * 256 + second) % 31 === 0 ? 2 : 0;
}

function takeBits(state: State, count: number): number {
  while (state.held < count) {
    state.bits |= (state.input[state.at] ?? 0) << state.held;
    state.at += 1;
    state.held += 8;
  }
  const value = state.bits & ((1 << count) - 1);
  state.bits >>>= count;
  state.held -= count;
  return value;
}

function inflateBlocks(state: State): Inflated['end'] {
  for (let last = 0; last === 0; ) {
    if (state.at > state.input.length) return 'malformed';
    last = takeBits(state, 1);
    const type = takeBits(state, 2);
    const end =
      type === 0
        ? stored(state)
        : type === 1
          ? coded(state, fixed())
          : type === 2
            ? dynamic(state)
            : 'malformed';
    if (end !== 'complete') return end;
  }
  return 'complete';
}

function put(state: State, byte: number): void {
  if (state.length === state.output.length) {
    const grown = new Uint8Array(state.output.length * 2);
    grown.set(state.output);
    state.output = grown;
  }
  state.output[state.length] = byte;
  state.length += 1;
}

function stored(state: State): Inflated['end'] {
  state.bits = 0;
  state.held = 0;
  const length = (state.input[state.at] ?? 0) + (state.input[state.at + 1] ?? 0) * 256;
  state.at += 4;
  for (let count = 0; count < length; count += 1) {
    if (state.at >= state.input.length) return 'malformed';
    if (state.length >= state.maxBytes) return 'bounded';
    put(state, state.input[state.at] ?? 0);
    state.at += 1;
  }
  return 'complete';
}

/** Canonical Huffman code: how many codes of each length, and the symbols in order of code. */
interface Huffman {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function huffman(lengths: readonly number[]): Huffman {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(16);
  for (let length = 1; length < 15; length += 1)
    offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const place = offsets[length] ?? 0;
    symbols[place] = symbol;
    offsets[length] = place + 1;
  }
  return { counts, symbols };
}

function readSymbol(state: State, { counts, symbols }: Huffman): number {
  let code = 0;
  let first = 0;
  let index = 0;
  for (let length = 1; length < 16; length += 1) {
    code |= takeBits(state, 1);
    const count = counts[length] ?? 0;
    if (code - first < count) return symbols[index + code - first] ?? -1;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

interface Codes {
  readonly literals: Huffman;
  readonly distances: Huffman;
}

function fixed(): Codes {
  const lengths = Array.from({ length: 288 }, (_unused, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  );
  return { literals: huffman(lengths), distances: huffman(new Array<number>(30).fill(5)) };
}

function dynamic(state: State): Inflated['end'] {
  const literalCount = takeBits(state, 5) + 257;
  const distanceCount = takeBits(state, 5) + 1;
  const codeCount = takeBits(state, 4) + 4;
  const codeLengths = new Array<number>(19).fill(0);
  for (const symbol of order.slice(0, codeCount)) codeLengths[symbol] = takeBits(state, 3);
  const codes = huffman(codeLengths);
  const lengths: number[] = [];
  while (lengths.length < literalCount + distanceCount) {
    const symbol = readSymbol(state, codes);
    if (symbol < 0 || state.at > state.input.length + 4) return 'malformed';
    if (symbol < 16) lengths.push(symbol);
    else {
      const repeated = symbol === 16 ? (lengths[lengths.length - 1] ?? 0) : 0;
      const times =
        symbol === 16
          ? 3 + takeBits(state, 2)
          : symbol === 17
            ? 3 + takeBits(state, 3)
            : 11 + takeBits(state, 7);
      for (let count = 0; count < times; count += 1) lengths.push(repeated);
    }
  }
  return coded(state, {
    literals: huffman(lengths.slice(0, literalCount)),
    distances: huffman(lengths.slice(literalCount, literalCount + distanceCount)),
  });
}

function coded(state: State, { literals, distances }: Codes): Inflated['end'] {
  for (;;) {
    if (state.at > state.input.length + 4) return 'malformed';
    const symbol = readSymbol(state, literals);
    if (symbol === 256) return 'complete';
    if (symbol < 0 || symbol > 285) return 'malformed';
    if (state.length >= state.maxBytes) return 'bounded';
    if (symbol < 256) {
      put(state, symbol);
      continue;
    }
    const length = (lengthBase[symbol - 257] ?? 0) + takeBits(state, lengthExtra[symbol - 257] ?? 0);
    const far = readSymbol(state, distances);
    if (far < 0 || far > 29) return 'malformed';
    const distance = (distanceBase[far] ?? 0) + takeBits(state, far < 4 ? 0 : (far >> 1) - 1);
    if (distance > state.length) return 'malformed';
    for (let count = 0; count < length && state.length < state.maxBytes; count += 1) {
      put(state, state.output[state.length - distance] ?? 0);
    }
  }
}
