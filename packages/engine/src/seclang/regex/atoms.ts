import {
  type ByteClass,
  foldClass,
  isFoldedBeyondAscii,
  letterClasses,
  posixClasses,
  writeClass,
} from './byte-class.ts';
import { FoldsOtherwise, type Reader, Untranslatable } from './reader.ts';

/** One byte as a pattern writes it, in both cases where letters fold here and not everywhere. */
export function writeLiteral(reader: Reader, code: number): string {
  if (code > 255) throw new Untranslatable('a character that is no byte (read rule files as latin1)');
  if (code >= 0xc0 && reader.foldNatively) throw new FoldsOtherwise();
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) {
    return reader.flags.i && !reader.foldNatively ? `[${char.toLowerCase()}${char.toUpperCase()}]` : char;
  }
  if (/[0-9 _,;:<>=~`'"@%&#!-]/.test(char)) return char;
  return /[\x21-\x7e]/.test(char) ? `\\${char}` : `\\x${code.toString(16).padStart(2, '0')}`;
}

const assertions: Readonly<Record<string, string>> = {
  b: '\\b',
  B: '\\B',
  A: '^',
  z: '$',
  Z: '(?=\\n?$)',
  R: '(?:\\r\\n|[\\n-\\r\\x85])',
};

/** Reads what a backslash begins, outside brackets. */
export function readEscape(reader: Reader): string {
  const { source } = reader;
  const next = source[reader.at + 1];
  if (next === undefined) throw new Untranslatable('a \\ at the end');
  const assertion = assertions[next];
  const named = letterClasses[next];
  if (assertion !== undefined || named) {
    reader.at += 2;
    return assertion ?? writeClass(named ?? new Uint8Array(256));
  }
  if (next === 'Q') return readQuotedText(reader);
  if (/[KGXCpPuLlU]/.test(next)) throw new Untranslatable(`\\${next}`);
  return readReference(reader) ?? writeLiteral(reader, readCharEscape(reader));
}

function readQuotedText(reader: Reader): string {
  const end = reader.source.indexOf('\\E', reader.at + 2);
  const text = reader.source.slice(reader.at + 2, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.source.length : end + 2;
  return [...text].map((char) => writeLiteral(reader, char.charCodeAt(0))).join('');
}

function readReference(reader: Reader): string | undefined {
  const found = /^\\(?:([1-9]\d?)|g\{?(-?\d+)\}?|[gk](?:\{(\w+)\}|<(\w+)>|'(\w+)'))/.exec(
    reader.source.slice(reader.at, reader.at + 80),
  );
  if (!found) return undefined;
  const [whole, plain, relative, ...names] = found;
  const name = names.find((one) => one !== undefined);
  let group = name === undefined ? Number(plain ?? relative) : (reader.names.get(name) ?? 0);
  if (group < 0) group += reader.groups + 1;
  // Two digits that name no group so far are an octal escape.
  if (plain !== undefined && plain.length === 2 && group > reader.groups) return undefined;
  if (group < 1 || group > reader.groups) throw new Untranslatable(`a reference to group ${group}`);
  reader.at += whole.length;
  return `\\k<group${group}>`;
}

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

function readCharEscape(reader: Reader): number {
  const rest = reader.source.slice(reader.at, reader.at + 12);
  const numeric =
    /^\\(?:x\{([0-9a-fA-F]{1,4})\}|x([0-9a-fA-F]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/;
  const found = numeric.exec(rest);
  if (found) {
    reader.at += found[0].length;
    const hex = found[1] ?? found[2];
    return hex !== undefined
      ? Number.parseInt(hex || '0', 16)
      : Number.parseInt(found[3] ?? found[4] ?? '0', 8);
  }
  const next = rest[1] ?? '';
  if (next === 'c' && rest.length > 2) {
    reader.at += 3;
    return (rest[2] ?? '').toUpperCase().charCodeAt(0) ^ 64;
  }
  reader.at += 2;
  return controls[next] ?? next.charCodeAt(0);
}

/** Reads a class in brackets, the `[` first. */
export function readClass(reader: Reader): string {
  const { source } = reader;
  reader.at += 1;
  const negated = source[reader.at] === '^';
  if (negated) reader.at += 1;
  const set: ByteClass = new Uint8Array(256);
  // A ] that comes first is itself.
  for (let first = true; first || source[reader.at] !== ']'; first = false) {
    if (reader.at >= source.length) throw new Untranslatable('a [ without its ]');
    readClassItem(reader, set);
  }
  reader.at += 1;
  const folded = reader.flags.i ? foldClass(set) : set;
  if (reader.foldNatively && !isFoldedBeyondAscii(folded)) throw new FoldsOtherwise();
  return writeClass(negated ? folded.map((flag) => 1 - flag) : folded);
}

function readClassItem(reader: Reader, set: ByteClass): void {
  const first = readClassByte(reader, set);
  if (first === undefined) return;
  const { source } = reader;
  if (source[reader.at] !== '-' || source[reader.at + 1] === ']' || reader.at + 1 >= source.length) {
    set[first] = 1;
    return;
  }
  reader.at += 1;
  const last = readClassByte(reader, set);
  if (last === undefined) {
    set[first] = 1;
    set[45] = 1;
    return;
  }
  if (last < first) throw new Untranslatable('a range whose ends are out of order');
  set.fill(1, first, last + 1);
}

/** One byte of a class, or undefined when it was a named class, which is then in `set`. */
function readClassByte(reader: Reader, set: ByteClass): number | undefined {
  const rest = reader.source.slice(reader.at, reader.at + 16);
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
  if (posix) {
    const named = posixClasses[posix[2] ?? ''];
    if (!named) throw new Untranslatable(`the class ${posix[0]}`);
    reader.at += posix[0].length;
    addAll(set, posix[1] === '^' ? named.map((flag) => 1 - flag) : named);
    return undefined;
  }
  if (!rest.startsWith('\\')) {
    const code = rest.charCodeAt(0);
    if (code > 255) throw new Untranslatable('a character that is no byte (read rule files as latin1)');
    reader.at += 1;
    return code;
  }
  const named = letterClasses[rest[1] ?? ''];
  if (named) {
    reader.at += 2;
    addAll(set, named);
    return undefined;
  }
  if (rest[1] === 'b') {
    reader.at += 2;
    return 8;
  }
  const code = readCharEscape(reader);
  if (code > 255) throw new Untranslatable('a character that is no byte');
  return code;
}

function addAll(set: ByteClass, more: ByteClass): void {
  for (let byte = 0; byte < 256; byte += 1) if (more[byte] === 1) set[byte] = 1;
}
