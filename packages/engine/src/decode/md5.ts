const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const constants = Uint32Array.from({ length: 64 }, (_unused, index) =>
  Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32),
);

/**
 * The MD5 digest as 16 raw bytes. For rule sets that compare with known digests; no security rests on it.
 * @see RFC 1321
 */
export function md5(text: string): string {
  const blocks = padded(text);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  const words = new Uint32Array(16);
  for (let block = 0; block < blocks.length; block += 64) {
    for (let word = 0; word < 16; word += 1) {
      const at = block + word * 4;
      words[word] =
        (blocks[at] ?? 0) |
        ((blocks[at + 1] ?? 0) << 8) |
        ((blocks[at + 2] ?? 0) << 16) |
        ((blocks[at + 3] ?? 0) << 24);
    }
    mix(state, words);
  }
  let digest = '';
  for (const word of state) {
    digest += String.fromCharCode(word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24);
  }
  return digest;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4;
    let mixed: number;
    let word: number;
    if (round === 0) [mixed, word] = [(b & c) | (~b & d), step];
    else if (round === 1) [mixed, word] = [(d & b) | (~d & c), (5 * step + 1) % 16];
    else if (round === 2) [mixed, word] = [b ^ c ^ d, (3 * step + 5) % 16];
    else [mixed, word] = [c ^ (b | ~d), (7 * step) % 16];
    const sum = (a + mixed + (constants[step] ?? 0) + (words[word] ?? 0)) | 0;
    const shift = shifts[round * 4 + (step % 4)] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
}

function padded(text: string): Uint8Array {
  const length = Math.ceil((text.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  bytes[text.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(length - 8, BigInt(text.length) * 8n, true);
  return bytes;
}
