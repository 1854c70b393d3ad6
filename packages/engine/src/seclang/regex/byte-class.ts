/** 256 flags: which bytes a character class holds. */
export type ByteClass = Uint8Array;

const range = (...pairs: readonly (readonly [number, number])[]): ByteClass => {
  const set = new Uint8Array(256);
  for (const [first, last] of pairs) set.fill(1, first, last + 1);
  return set;
};

const invert = (set: ByteClass): ByteClass => set.map((flag) => 1 - flag);

const digit = range([48, 57]);
const word = range([48, 57], [65, 90], [95, 95], [97, 122]);
// Perl's white space: V8's \s would add A0.
const space = range([9, 13], [32, 32]);
const horizontal = range([9, 9], [32, 32], [160, 160]);
const vertical = range([10, 13], [0x85, 0x85]);

/** Classes that PCRE spells with a letter after a backslash, in the C locale. */
export const letterClasses: Readonly<Record<string, ByteClass>> = {
  d: digit,
  D: invert(digit),
  w: word,
  W: invert(word),
  s: space,
  S: invert(space),
  h: horizontal,
  H: invert(horizontal),
  v: vertical,
  V: invert(vertical),
  N: invert(range([10, 10])),
};

/** Classes that stand as `[:name:]` inside brackets. */
export const posixClasses: Readonly<Record<string, ByteClass>> = {
  alnum: range([48, 57], [65, 90], [97, 122]),
  alpha: range([65, 90], [97, 122]),
  ascii: range([0, 127]),
  blank: range([9, 9], [32, 32]),
  cntrl: range([0, 31], [127, 127]),
  digit,
  graph: range([33, 126]),
  lower: range([97, 122]),
  print: range([32, 126]),
  punct: range([33, 47], [58, 64], [91, 96], [123, 126]),
  space,
  upper: range([65, 90]),
  word,
  xdigit: range([48, 57], [65, 70], [97, 102]),
};

/** Adds the other case of each ASCII letter. */
export function foldClass(set: ByteClass): ByteClass {
  const folded = set.slice();
  for (let upper = 65; upper <= 90; upper += 1) {
    if (set[upper] === 1) folded[upper + 32] = 1;
    if (set[upper + 32] === 1) folded[upper] = 1;
  }
  return folded;
}

/** Whether it holds both cases of each letter of Latin-1 beyond ASCII, or neither. */
export function isFoldedBeyondAscii(set: ByteClass): boolean {
  for (let upper = 0xc0; upper <= 0xde; upper += 1) {
    if (upper !== 0xd7 && set[upper] !== set[upper + 32]) return false;
  }
  return true;
}

/** The class as JavaScript writes it, by whichever of its own or its complement's ranges is shorter. */
export function writeClass(set: ByteClass): string {
  const own = writeRanges(set);
  const other = writeRanges(invert(set));
  return own.length <= other.length + 1 ? `[${own}]` : `[^${other}]`;
}

function writeRanges(set: ByteClass): string {
  let written = '';
  for (let first = 0; first < 256; first += 1) {
    if (set[first] !== 1) continue;
    let last = first;
    while (last < 255 && set[last + 1] === 1) last += 1;
    written += writeClassByte(first);
    if (last > first + 1) written += '-';
    if (last > first) written += writeClassByte(last);
    first = last;
  }
  return written;
}

function writeClassByte(code: number): string {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9 _,;:<>=~`'"@%&#]/.test(char) ? char : `\\x${code.toString(16).padStart(2, '0')}`;
}
