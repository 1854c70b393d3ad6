import { readClass, readEscape, writeLiteral } from './atoms.ts';
import { type Flags, flagsAfter, readLeadingFlags } from './flags.ts';
import { FoldsOtherwise, type Reader, Untranslatable } from './reader.ts';

/** A PCRE pattern in JavaScript's words. */
export interface TranslatedPattern {
  readonly regex: RegExp;
  /** index in a match for each of the pattern's own groups; [0] is the whole match */
  readonly groups: readonly number[];
}

export type Translation =
  | { readonly ok: true; readonly pattern: TranslatedPattern }
  | { readonly ok: false; readonly reason: string };

/**
 * Translates a PCRE pattern, as ModSecurity compiles it (dot matches line ends, `$` only at the very end), to
 * a RegExp over latin1 text. Possessive and atomic parts become a look-ahead that captures and a back
 * reference, which V8 never backtracks into. What has no equivalent (recursion, conditions, `\K`, `\G`) is
 * refused with the reason. Never throws.
 * @param caseless whether letters match either case from the start
 * @see pcrepattern(3)
 */
export function translatePcre(source: string, caseless = false): Translation {
  try {
    return translateWith(source, caseless, true);
  } catch (error) {
    if (!(error instanceof FoldsOtherwise)) throw error;
    return translateWith(source, caseless, false);
  }
}

function translateWith(source: string, caseless: boolean, mayFold: boolean): Translation {
  const leading = readLeadingFlags(source, { i: caseless, m: false, s: true, x: false });
  const needsNames = /\\[1-9gk]|[*+?}]\+|\(\?>|\(\?P?[<'=]/.test(source);
  const reader: Reader = {
    source: leading.body,
    at: 0,
    flags: leading.flags,
    foldNatively: leading.flags.i && mayFold,
    groups: 0,
    atoms: 0,
    named: needsNames,
    names: new Map(),
    depth: 0,
  };
  try {
    const written = readAlternatives(reader);
    if (reader.at < reader.source.length) throw new Untranslatable('an unmatched )');
    const regex = new RegExp(written, reader.foldNatively ? 'is' : 's');
    return { ok: true, pattern: { regex, groups: groupIndexes(written) } };
  } catch (error) {
    if (error instanceof FoldsOtherwise) throw error;
    if (error instanceof Untranslatable || error instanceof SyntaxError) {
      return { ok: false, reason: error.message };
    }
    throw error;
  }
}

function readAlternatives(reader: Reader): string {
  reader.depth += 1;
  if (reader.depth > 200) throw new Untranslatable('groups nested deeper than 200');
  const outer = reader.flags;
  let written = '';
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    if (reader.source[reader.at] === '|') {
      written += '|';
      reader.at += 1;
      continue;
    }
    written += readQuantified(reader);
  }
  reader.flags = outer;
  reader.depth -= 1;
  return written;
}

function readQuantified(reader: Reader): string {
  const atom = readAtom(reader);
  const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(reader.source.slice(reader.at, reader.at + 24));
  if (!found || atom === '') return atom;
  reader.at += found[0].length;
  const next = reader.source[reader.at];
  if (next === '?') {
    reader.at += 1;
    return `${atom}${found[0]}?`;
  }
  if (next === '+') {
    reader.at += 1;
    return atomic(reader, `${atom}${found[0]}`);
  }
  return atom + found[0];
}

function atomic(reader: Reader, inner: string): string {
  reader.atoms += 1;
  const name = `atom${reader.atoms}`;
  return `(?:(?=(?<${name}>${inner}))\\k<${name}>)`;
}

function readAtom(reader: Reader): string {
  const char = reader.source[reader.at] ?? '';
  const { flags } = reader;
  if (flags.x && /\s/.test(char)) return skip(reader, /^\s+/);
  if (flags.x && char === '#') return skip(reader, /^#[^\n]*\n?/);
  if (char === '(') return readGroup(reader);
  if (char === '[') return readClass(reader);
  if (char === '\\') return readEscape(reader);
  if (char === '*' || char === '+' || char === '?') throw new Untranslatable('nothing to repeat');
  reader.at += 1;
  if (char === '^') return flags.m ? '(?:^|(?<=\\n))' : '^';
  if (char === '$') return flags.m ? '(?:$|(?=\\n))' : '$';
  if (char === '.') return flags.s ? '.' : '[^\\n]';
  return writeLiteral(reader, char.charCodeAt(0));
}

function skip(reader: Reader, what: RegExp): string {
  reader.at += what.exec(reader.source.slice(reader.at))?.[0].length ?? 1;
  return '';
}

function readGroup(reader: Reader): string {
  const rest = reader.source.slice(reader.at, reader.at + 80);
  const comment = /^\(\?#[^)]*\)/.exec(reader.source.slice(reader.at));
  if (comment) return skip(reader, /^\(\?#[^)]*\)/);
  const modifiers = /^\(\?([imsxJU]*)(?:-([imsx]+))?([:)])/.exec(rest);
  if (modifiers) return readModified(reader, modifiers);
  const look = /^\(\?<?[=!]/.exec(rest)?.[0];
  if (look) return readInner(reader, look.length, look);
  if (rest.startsWith('(?>')) return atomic(reader, readInner(reader, 3, '(?:'));
  const named = /^\(\?P?(?:<|')(\w+)(?:>|')/.exec(rest);
  if (named) return readCapture(reader, named[0].length, named[1]);
  if (rest.startsWith('(?') || rest.startsWith('(*')) {
    throw new Untranslatable(`a group of the kind ${rest.slice(0, 4)}`);
  }
  return readCapture(reader, 1, undefined);
}

function readCapture(reader: Reader, opening: number, name: string | undefined): string {
  reader.groups += 1;
  if (name !== undefined) reader.names.set(name, reader.groups);
  return readInner(reader, opening, reader.named ? `(?<group${reader.groups}>` : '(');
}

function readInner(reader: Reader, opening: number, written: string): string {
  reader.at += opening;
  const inner = readAlternatives(reader);
  if (reader.source[reader.at] !== ')') throw new Untranslatable('a ( without its )');
  reader.at += 1;
  return `${written}${inner})`;
}

function readModified(reader: Reader, [whole, on, off, end]: RegExpExecArray): string {
  const before = reader.flags;
  const after: Flags = flagsAfter(before, on ?? '', off ?? '');
  if (reader.foldNatively && !after.i) throw new FoldsOtherwise();
  if (end === ')') {
    reader.at += whole.length;
    reader.flags = after;
    return '';
  }
  reader.flags = after;
  const written = readInner(reader, whole.length, '(?:');
  reader.flags = before;
  return written;
}

/** Where in a match the pattern's own groups stand, since the groups of atomic parts lie between them. */
function groupIndexes(written: string): number[] {
  const indexes = [0];
  let index = 0;
  for (const token of written.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<(\w+)>)?)?/gs)) {
    const [text] = token;
    if (!text.startsWith('(') || (text === '(?' && token[1] === undefined)) continue;
    index += 1;
    if (!token[1]?.startsWith('atom')) indexes.push(index);
  }
  return indexes;
}
