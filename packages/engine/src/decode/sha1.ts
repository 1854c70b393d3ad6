/**
 * The SHA-1 digest as 20 raw bytes. For rule sets that compare with known digests; no security rests on it.
 * @see RFC 3174
 */
export function sha1(text: string): string {
  const blocks = padded(text);
  const view = new DataView(blocks.buffer);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Uint32Array(80);
  for (let block = 0; block < blocks.length; block += 64) {
    for (let word = 0; word < 16; word += 1) words[word] = view.getUint32(block + word * 4);
    for (let word = 16; word < 80; word += 1) {
      const at = (back: number): number => words[word - back] ?? 0;
      words[word] = rotate(at(3) ^ at(8) ^ at(14) ^ at(16), 1);
    }
    mix(state, words);
  }
  let digest = '';
  for (const word of state) {
    digest += String.fromCharCode(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);
  }
  return digest;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let step = 0; step < 80; step += 1) {
    let mixed: number;
    if (step < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
    else if (step < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (step < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    [a, b, c, d, e] = [(rotate(a, 5) + mixed + e + (words[step] ?? 0)) | 0, a, rotate(b, 30), c, d];
  }
  for (const [index, value] of [a, b, c, d, e].entries()) state[index] = (state[index] ?? 0) + value;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function padded(text: string): Uint8Array<ArrayBuffer> {
  const length = Math.ceil((text.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  bytes[text.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(length - 8, BigInt(text.length) * 8n);
  return bytes;
}
