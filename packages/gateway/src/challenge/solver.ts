// What stands here runs in the visitor's browser too: the page carries these functions as their own text, so they
// use no import and nothing but one another. Web Crypto is not used, for it is absent on clear HTTP and slow at one
// small hash a time.

/** @returns the fractional bits of the roots of the first primes: FIPS 180-4 §4.2.2 and §5.3.3 */
function primeRoots(count: number, power: number): Int32Array {
  const words = new Int32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) prime = false;
    }
    if (!prime) continue;
    const root = candidate ** power;
    words[found++] = (root - Math.floor(root)) * 4294967296;
  }
  return words;
}

/** Writes the one padded block of a message of at most 55 ASCII characters: FIPS 180-4 §5.1.1. */
function padBlock(w: Int32Array, message: string): void {
  w.fill(0);
  for (let i = 0; i < message.length; i++) {
    w[i >> 2] = (w[i >> 2] as number) | (message.charCodeAt(i) << (24 - (i & 3) * 8));
  }
  const end = message.length;
  w[end >> 2] = (w[end >> 2] as number) | (128 << (24 - (end & 3) * 8));
  w[15] = end * 8;
}

/** @returns the first word of the hash of the block in `w`: FIPS 180-4 §6.2.2 */
function firstWord(w: Int32Array, constants: Int32Array, initial: Int32Array): number {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = initial as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (w[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  return (a + (initial[0] as number)) | 0;
}

/**
 * Searches a nonce so that SHA-256 of `prefix + nonce` begins with `bits` zero bits, 32 at most.
 * @param prefix with the nonce no longer than 55 ASCII characters
 * @returns the first nonce in [from, from + count) that fits, or -1
 */
export function searchNonce(prefix: string, bits: number, from: number, count: number): number {
  const constants = primeRoots(64, 1 / 3);
  const initial = primeRoots(8, 1 / 2);
  const w = new Int32Array(64);
  for (let nonce = from; nonce < from + count; nonce++) {
    padBlock(w, prefix + nonce);
    if (Math.clz32(firstWord(w, constants, initial)) >= bits) return nonce;
  }
  return -1;
}

/** The solver as script text, which declares {@link searchNonce}. */
export const solverSource = (): string =>
  [primeRoots, padBlock, firstWord, searchNonce].map(String).join('\n');
