import { utf8Bytes } from '../decode/index.ts';
import { type ByteSet, byteSet, complement, foldCase, lineEnds, type PatternNode } from './ast.ts';
import { classEscape, readCharEscape } from './escapes.ts';

/** What a pattern can't be read for, in words an operator understands. */
export interface PatternIssue {
  readonly reason: string;
  /** index into the source */
  readonly at: number;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly dotAll?: boolean;
  readonly multiline?: boolean;
  /** text is UTF-8 bytes: a character beyond ASCII, `.` and a negated class stand for a whole sequence */
  readonly utf8?: boolean;
  /** captures, greed, the insides of lookarounds and the groups of back references are wanted too */
  readonly detailed?: boolean;
}

export type ParsedPattern =
  | {
      readonly ok: true;
      readonly node: PatternNode;
      /** how many groups capture */
      readonly groups: number;
    }
  | { readonly ok: false; readonly issue: PatternIssue };

/**
 * Reads the source of a JavaScript regular expression (without the `u` and `v` flags) as a tree over bytes.
 * Never throws.
 * @see ECMA-262 §22.2.1 and annex B.1.2
 */
export function parsePattern(source: string, options: PatternOptions = {}): ParsedPattern {
  const reader: Reader = { source, at: 0, options, depth: 0, groups: 0, names: new Map() };
  try {
    const node = readEither(reader);
    if (reader.at < source.length) refuse(reader, 'an unmatched )');
    return { ok: true, node, groups: reader.groups };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, issue: { reason: error.message, at: error.at } };
    throw error;
  }
}

interface Reader {
  readonly source: string;
  readonly options: PatternOptions;
  at: number;
  depth: number;
  /** capturing groups so far */
  groups: number;
  readonly names: Map<string, number>;
}

class Refusal extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

function refuse(reader: Reader, reason: string): never {
  throw new Refusal(reason, reader.at);
}

function readEither(reader: Reader): PatternNode {
  reader.depth += 1;
  if (reader.depth > 100) refuse(reader, 'groups nested deeper than 100');
  const items = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    items.push(readSequence(reader));
  }
  reader.depth -= 1;
  return items.length === 1 && items[0] ? items[0] : { kind: 'either', items };
}

function readSequence(reader: Reader): PatternNode {
  const items: PatternNode[] = [];
  for (let char = reader.source[reader.at]; char !== undefined; char = reader.source[reader.at]) {
    if (char === '|' || char === ')') break;
    items.push(readQuantified(reader, readAtom(reader, char)));
  }
  return { kind: 'sequence', items };
}

function readQuantified(reader: Reader, item: PatternNode): PatternNode {
  const quantifier = /^(?:([*+?])|\{(\d{1,5})(?:(,)(\d{0,5}))?\})/.exec(
    reader.source.slice(reader.at, reader.at + 16),
  );
  if (!quantifier) return item;
  const [whole, sign, least, comma, most] = quantifier;
  reader.at += whole.length;
  const isLazy = reader.source[reader.at] === '?';
  if (isLazy) reader.at += 1;
  const lazy = isLazy && reader.options.detailed ? { lazy: true as const } : {};
  if (sign === '*') return { kind: 'repeat', item, min: 0, max: Infinity, ...lazy };
  if (sign === '+') return { kind: 'repeat', item, min: 1, max: Infinity, ...lazy };
  if (sign === '?') return { kind: 'repeat', item, min: 0, max: 1, ...lazy };
  const min = Number(least);
  const max = comma === undefined ? min : most ? Number(most) : Infinity;
  if (max < min) refuse(reader, 'a repetition whose bounds are out of order');
  return { kind: 'repeat', item, min, max, ...lazy };
}

function readAtom(reader: Reader, char: string): PatternNode {
  const { options } = reader;
  if (char === '*' || char === '+' || char === '?') refuse(reader, 'nothing to repeat');
  if (char === '(') return readGroup(reader);
  if (char === '[') return readClass(reader);
  if (char === '\\') return readEscape(reader);
  reader.at += 1;
  if (char === '^') return { kind: 'assert', assertion: options.multiline ? 'line start' : 'start' };
  if (char === '$') return { kind: 'assert', assertion: options.multiline ? 'line end' : 'end' };
  if (char === '.') return anyOf(reader, options.dotAll ? byteSet([0, 255]) : complement(lineEnds), true);
  const code = reader.source.codePointAt(reader.at - 1) ?? 0;
  if (code > 0xffff) reader.at += 1;
  return literal(reader, code);
}

function readGroup(reader: Reader): PatternNode {
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>)|(?!\?))/.exec(
    reader.source.slice(reader.at, reader.at + 80),
  )?.[0];
  if (opening === undefined) refuse(reader, 'a group of an unknown kind');
  reader.at += opening.length;
  const index = opening === '(?:' || /[=!]$/.test(opening) ? 0 : countGroup(reader, opening);
  const inner = readEither(reader);
  if (reader.source[reader.at] !== ')') refuse(reader, 'a ( without its )');
  reader.at += 1;
  const { detailed } = reader.options;
  if (!/[=!]$/.test(opening)) return detailed && index > 0 ? { kind: 'capture', index, item: inner } : inner;
  if (!detailed) return { kind: 'irregular', what: 'lookaround' };
  const look = { behind: opening.includes('<'), negative: opening.endsWith('!'), item: inner };
  return { kind: 'irregular', what: 'lookaround', look };
}

function countGroup(reader: Reader, opening: string): number {
  reader.groups += 1;
  const name = /<(\w+)>/.exec(opening)?.[1];
  if (name !== undefined) reader.names.set(name, reader.groups);
  return reader.groups;
}

function readEscape(reader: Reader): PatternNode {
  const next = reader.source[reader.at + 1];
  if (next === undefined) refuse(reader, 'a \\ at the end');
  if (next === 'b' || next === 'B') {
    reader.at += 2;
    return { kind: 'assert', assertion: next === 'b' ? 'word edge' : 'no word edge' };
  }
  const reference = /^\\(?:[1-9]\d{0,2}|k(?:<[A-Za-z_]\w{0,40}>)?)/.exec(
    reader.source.slice(reader.at, reader.at + 48),
  )?.[0];
  if (reference !== undefined) {
    reader.at += reference.length;
    if (!reader.options.detailed) return { kind: 'irregular', what: 'back reference' };
    const group = reader.names.get(/<(\w+)>/.exec(reference)?.[1] ?? '') ?? Number(reference.slice(1));
    return { kind: 'irregular', what: 'back reference', ...(group > 0 && { group }) };
  }
  const named = classEscape(next);
  if (named) {
    reader.at += 2;
    return anyOf(reader, named, next < 'a');
  }
  return literal(reader, escapedChar(reader));
}

function escapedChar(reader: Reader): number {
  const found = readCharEscape(reader.source, reader.at);
  if (!found) refuse(reader, `an unknown escape ${reader.source.slice(reader.at, reader.at + 2)}`);
  reader.at = found.end;
  return found.code;
}

function readClass(reader: Reader): PatternNode {
  const opened = reader.at;
  reader.at += 1;
  const negated = reader.source[reader.at] === '^';
  if (negated) reader.at += 1;
  const set = new Uint8Array(256);
  const beyond: number[] = [];
  for (;;) {
    const char = reader.source[reader.at];
    if (char === undefined) {
      reader.at = opened;
      refuse(reader, 'a [ without its ]');
    }
    if (char === ']') break;
    readClassItem(reader, set, beyond);
  }
  reader.at += 1;
  if (negated && beyond.length > 0) refuse(reader, 'a negated class of characters beyond ASCII');
  const cased = reader.options.ignoreCase ? foldCase(set) : set;
  if (negated) return anyOf(reader, complement(cased), true);
  const plain: PatternNode = { kind: 'set', set: cased };
  if (beyond.length === 0) return plain;
  return { kind: 'either', items: [plain, ...beyond.map((code) => literal(reader, code))] };
}

function readClassItem(reader: Reader, set: ByteSet, beyond: number[]): void {
  const first = readClassChar(reader, set);
  if (first === undefined) return;
  if (reader.source[reader.at] !== '-' || /^-(?:\]|$)/.test(reader.source.slice(reader.at, reader.at + 2))) {
    addChar(reader, first, set, beyond);
    return;
  }
  reader.at += 1;
  const last = readClassChar(reader, set);
  if (last === undefined) {
    addChar(reader, first, set, beyond);
    set[45] = 1;
    return;
  }
  if (last < first) refuse(reader, 'a range whose ends are out of order');
  if (last > (reader.options.utf8 ? 127 : 255)) refuse(reader, 'a range of characters beyond ASCII');
  set.fill(1, first, last + 1);
}

/** One char of a class, or undefined when it was a named class (`\d`), which is then in `set`. */
function readClassChar(reader: Reader, set: ByteSet): number | undefined {
  const char = reader.source[reader.at];
  if (char !== '\\') {
    const code = reader.source.codePointAt(reader.at) ?? 0;
    reader.at += code > 0xffff ? 2 : 1;
    return code;
  }
  const next = reader.source[reader.at + 1] ?? '';
  const named = classEscape(next);
  if (named) {
    reader.at += 2;
    for (let byte = 0; byte < 256; byte += 1) if (named[byte] === 1) set[byte] = 1;
    return undefined;
  }
  if (next === 'b') {
    reader.at += 2;
    return 8;
  }
  return escapedChar(reader);
}

function addChar(reader: Reader, code: number, set: ByteSet, beyond: number[]): void {
  if (code <= (reader.options.utf8 ? 127 : 255)) set[code] = 1;
  else if (reader.options.utf8) beyond.push(code);
  else refuse(reader, 'a character that is no byte');
}

function literal(reader: Reader, code: number): PatternNode {
  if (code > 127 && reader.options.utf8) {
    const bytes = [...utf8Bytes(code)].map((char) => char.charCodeAt(0));
    return { kind: 'sequence', items: bytes.map((byte) => ({ kind: 'set', set: byteSet([byte, byte]) })) };
  }
  if (code > 255) refuse(reader, 'a character that is no byte');
  const set = byteSet([code, code]);
  return { kind: 'set', set: reader.options.ignoreCase ? foldCase(set) : set };
}

const lead = byteSet([0xc2, 0xf4]);
const continuation = byteSet([0x80, 0xbf]);

/** A set that, over UTF-8 and where it holds what is beyond ASCII, stands for whole sequences. */
function anyOf(reader: Reader, set: ByteSet, holdsBeyond: boolean): PatternNode {
  if (!reader.options.utf8 || !holdsBeyond) return { kind: 'set', set };
  const tail: PatternNode = { kind: 'repeat', item: { kind: 'set', set: continuation }, min: 1, max: 3 };
  const sequence: PatternNode = { kind: 'sequence', items: [{ kind: 'set', set: lead }, tail] };
  return { kind: 'either', items: [{ kind: 'set', set }, sequence] };
}
