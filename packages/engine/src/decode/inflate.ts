import {
  type BitReader,
  type Huffman,
  isOverrun,
  newHuffman,
  readSymbol,
  setLengths,
  takeBits,
} from './huffman.ts';

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
  let end = inflateBlocks(state);
  while (end === 'complete' && compressed[0] === 0x1f) {
    const next = nextMember(state);
    if (next === undefined) break;
    state.at = next;
    state.bits = 0;
    state.held = 0;
    end = inflateBlocks(state);
  }
  return { bytes: state.output.subarray(0, Math.min(state.length, maxBytes)), end };
}

interface State extends BitReader {
  output: Uint8Array;
  length: number;
  readonly maxBytes: number;
}

const trailerLength = 8;

/** Members of gzip may follow one another, and what decompresses reads them as one: RFC 1952 §2.2. */
function nextMember({ input, at, held }: State): number | undefined {
  const start = at - (held >> 3) + trailerLength;
  if (input[start] !== 0x1f || input[start + 1] !== 0x8b) return undefined;
  const length = headerLength(input.subarray(start));
  return length === undefined ? undefined : start + length;
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

function inflateBlocks(state: State): Inflated['end'] {
  for (let last = 0; last === 0; ) {
    if (isOverrun(state)) return 'malformed';
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

function makeRoom(state: State, count: number): void {
  if (state.length + count <= state.output.length) return;
  const grown = new Uint8Array(Math.max(state.output.length * 2, state.length + count));
  grown.set(state.output);
  state.output = grown;
}

function stored(state: State): Inflated['end'] {
  const { input, maxBytes } = state;
  // Back to the byte behind the last bit that was used.
  const start = state.at - (state.held >> 3);
  state.bits = 0;
  state.held = 0;
  const length = (input[start] ?? 0) + (input[start + 1] ?? 0) * 256;
  const complement = (input[start + 2] ?? 0) + (input[start + 3] ?? 0) * 256;
  if (length + complement !== 0xffff) return 'malformed';
  const content = input.subarray(start + 4, start + 4 + length);
  const taken = content.subarray(0, maxBytes - state.length);
  makeRoom(state, taken.length);
  state.output.set(taken, state.length);
  state.length += taken.length;
  state.at = start + 4 + length;
  if (taken.length < content.length) return 'bounded';
  return content.length < length ? 'malformed' : 'complete';
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

const maxLiterals = 288;
const maxDistances = 32;

interface Codes {
  readonly literals: Huffman;
  readonly distances: Huffman;
}

let fixedCodes: Codes | undefined;

/** RFC 1951 §3.2.6 */
function fixed(): Codes {
  if (fixedCodes) return fixedCodes;
  const codes = { literals: newHuffman(maxLiterals), distances: newHuffman(maxDistances) };
  const lengths = Uint8Array.from({ length: maxLiterals }, (_unused, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  );
  setLengths(codes.literals, lengths);
  setLengths(codes.distances, new Uint8Array(30).fill(5));
  fixedCodes = codes;
  return codes;
}

/** Written anew by each block and read by no other, for nothing interrupts it. */
const dynamicCodes: Codes = { literals: newHuffman(maxLiterals), distances: newHuffman(maxDistances) };
const lengthCode = newHuffman(order.length);
const codeLengths = new Uint8Array(maxLiterals + maxDistances);

function dynamic(state: State): Inflated['end'] {
  const literalCount = takeBits(state, 5) + 257;
  const distanceCount = takeBits(state, 5) + 1;
  const given = takeBits(state, 4) + 4;
  const ofLengths = new Uint8Array(order.length);
  for (let index = 0; index < given; index += 1) ofLengths[order[index] as number] = takeBits(state, 3);
  if (!setLengths(lengthCode, ofLengths)) return 'malformed';
  const wanted = literalCount + distanceCount;
  for (let count = 0; count < wanted; ) {
    const symbol = readSymbol(state, lengthCode);
    if (symbol < 0 || isOverrun(state)) return 'malformed';
    if (symbol < 16) {
      codeLengths[count] = symbol;
      count += 1;
      continue;
    }
    const repeated = symbol === 16 && count > 0 ? (codeLengths[count - 1] as number) : 0;
    const times =
      symbol === 16
        ? 3 + takeBits(state, 2)
        : symbol === 17
          ? 3 + takeBits(state, 3)
          : 11 + takeBits(state, 7);
    codeLengths.fill(repeated, count, Math.min(count + times, wanted));
    count += times;
  }
  return setLengths(dynamicCodes.literals, codeLengths.subarray(0, literalCount)) &&
    setLengths(dynamicCodes.distances, codeLengths.subarray(literalCount, wanted))
    ? coded(state, dynamicCodes)
    : 'malformed';
}

const longestMatch = 258;

function coded(state: State, { literals, distances }: Codes): Inflated['end'] {
  for (;;) {
    const symbol = readSymbol(state, literals);
    if (isOverrun(state)) return 'malformed';
    if (symbol === 256) return 'complete';
    if (symbol < 0 || symbol > 285) return 'malformed';
    if (state.length >= state.maxBytes) return 'bounded';
    makeRoom(state, longestMatch);
    if (symbol < 256) {
      state.output[state.length] = symbol;
      state.length += 1;
      continue;
    }
    const length = (lengthBase[symbol - 257] ?? 0) + takeBits(state, lengthExtra[symbol - 257] ?? 0);
    const far = readSymbol(state, distances);
    if (far < 0 || far > 29) return 'malformed';
    const distance = (distanceBase[far] ?? 0) + takeBits(state, far < 4 ? 0 : (far >> 1) - 1);
    if (distance > state.length) return 'malformed';
    const { output } = state;
    const end = Math.min(state.length + length, state.maxBytes);
    // Byte by byte, for what is copied may overlap with where it goes.
    for (let at = state.length; at < end; at += 1) output[at] = output[at - distance] as number;
    state.length = end;
  }
}
