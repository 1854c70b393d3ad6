const blockSize = 64;
/** more than this many pieces are given as one text, so that a program's string table is no flood of arguments */
const maxPieces = 512;
/** one byte of this many reads as text by chance, well-formed UTF-8 included */
const oddsOfText = 2.3;
const shortestRun = 6;
/** how many bodies of noise may go by until one holds a run by chance */
const bodiesWithout = 64;

/** 0: no text; 1: ASCII text; 2 to 4: opens a UTF-8 sequence of that length */
const kinds = Uint8Array.from({ length: 256 }, (_unused, code) => {
  if (code < 0x80) return (code >= 9 && code <= 13) || code === 27 || (code >= 32 && code < 127) ? 1 : 0;
  if (code < 0xc2 || code > 0xf4) return 0;
  return code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4;
});

/**
 * What of a latin1 text can be text at all. Most texts come back whole. In one that is binary in parts, every
 * stretch that reads as text comes back whole with the odd bytes in it, so that a few of those strewn into a
 * payload take nothing out of sight; of the noise between, only the printable runs that are longer than so much
 * noise holds by chance, as rules would else find commands in any photograph.
 */
export function readableTexts(text: string): readonly string[] {
  if (!/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return [text];
  const noise = markNoise(text);
  const blocks = noisyBlocks(noise);
  const noisy = blocks.reduce((sum, block) => sum + block, 0);
  if (noisy === 0) return [text];
  const shortest = Math.max(
    shortestRun,
    Math.ceil(Math.log(noisy * blockSize * bodiesWithout) / Math.log(oddsOfText)),
  );
  const found: string[] = [];
  let at = 0;
  for (let block = 0; block < blocks.length; block += 1) {
    if (blocks[block] !== 0) continue;
    let start = Math.max(at, block * blockSize);
    while (block + 1 < blocks.length && blocks[block + 1] === 0) block += 1;
    let end = block + 1 === blocks.length ? text.length : (block + 1) * blockSize;
    if (end <= at) continue;
    while (start > at && noise[start - 1] === 0) start -= 1;
    while (end < text.length && noise[end] === 0) end += 1;
    takeRuns(text, noise, at, start, shortest, found);
    found.push(text.slice(start, end));
    at = end;
  }
  takeRuns(text, noise, at, text.length, shortest, found);
  return found.length <= maxPieces
    ? found
    : [...found.slice(0, maxPieces), found.slice(maxPieces).join('\x01')];
}

/** 1 for each byte that no text holds. A NUL between two of ASCII may be UTF-16 and counts as text. */
function markNoise(text: string): Uint8Array {
  const noise = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) & 255;
    const kind = kinds[code] ?? 0;
    if (kind === 1) continue;
    if (kind > 1 && continues(text, at, kind)) {
      if (kind === 2 && isByteAsCharacter(text, at, code)) {
        noise[at] = 1;
        noise[at + 1] = 1;
      }
      at += kind - 1;
    } else if (code !== 0 || !amidAscii(text, at)) noise[at] = 1;
  }
  return noise;
}

/**
 * Whether U+0080 to U+00FF stands where no writing has it: where a script puts bytes into a string, every other
 * character is one of these. The space U+00A0 and letters beside letters are writing.
 */
function isByteAsCharacter(text: string, at: number, code: number): boolean {
  if (code === 0xc2) return text.charCodeAt(at + 1) !== 0xa0;
  return code === 0xc3 && !isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + 2));
}

function isLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 122;
}

function continues(text: string, at: number, length: number): boolean {
  for (let next = at + 1; next < at + length; next += 1)
    if ((text.charCodeAt(next) & 0xc0) !== 0x80) return false;
  return true;
}

function amidAscii(text: string, at: number): boolean {
  return (
    kinds[text.charCodeAt(at - 1) & 255] === 1 &&
    (at + 1 === text.length || kinds[text.charCodeAt(at + 1) & 255] === 1)
  );
}

/** 1 for each block of which more than a quarter is noise; the last holds the remainder too. */
function noisyBlocks(noise: Uint8Array): Uint8Array {
  const blocks = new Uint8Array(Math.max(1, Math.floor(noise.length / blockSize)));
  for (let block = 0; block < blocks.length; block += 1) {
    const start = block * blockSize;
    const end = block + 1 === blocks.length ? noise.length : start + blockSize;
    let count = 0;
    for (let at = start; at < end; at += 1) count += noise[at] ?? 0;
    if (count * 4 > end - start) blocks[block] = 1;
  }
  return blocks;
}

function takeRuns(
  text: string,
  noise: Uint8Array,
  from: number,
  to: number,
  shortest: number,
  found: string[],
): void {
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && noise[at] === 0) continue;
    if (at - start >= shortest) found.push(text.slice(start, at));
    start = at + 1;
  }
}
