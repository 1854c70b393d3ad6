import { lowercase } from '../decode/index.ts';
import { type Beside, edgeFlag, type Literal } from '../pattern/index.ts';
import type { Steps } from './steps.ts';
import type { Head } from './trie.ts';

/** A literal as a gate names it: a bare text of any case, or one with what must stand beside it. */
export type GateLiteral = string | Literal;

/** Longer literals are cut for the automaton, so that its tables stay small; the rest is compared. */
export const significant = 7;

/** Every literal of every class, laid flat. */
export interface Literals {
  /** the part of each literal that the automaton finds */
  readonly heads: readonly Head[];
  /** the others of its properties, {@link recordSize} numbers each */
  readonly records: Int32Array;
  /** the bytes of all literals that stand behind their heads */
  readonly rests: Uint8Array;
  /** byte, or {@link edgeFlag} → a bit for each set, `besideWords` numbers each */
  readonly besides: Int32Array;
  readonly besideWords: number;
}

/**
 * Of each literal: its class and, from bit 24 on, the length of its head; the number of the set that must hold the byte
 * before it and, from bit 16 on, of that after it, 0 for any; where its remaining bytes begin in `rests`, and where they end.
 * Together, since a scan asks for few literals of thousands and waits for memory each time.
 */
export const recordSize = 4;

interface Numbered extends Literal {
  /** of its class */
  readonly id: number;
}

function* numberAll(classes: readonly (readonly GateLiteral[])[]): Steps<Numbered[]> {
  const all: Numbered[] = [];
  for (const [id, literals] of classes.entries()) {
    for (const literal of literals)
      for (const one of lengthened(typeof literal === 'string' ? { text: literal } : literal))
        all.push({ id, ...one });
    yield;
  }
  return all;
}

/** Lays the literals out. */
export function* compileLiterals(classes: readonly (readonly GateLiteral[])[]): Steps<Literals> {
  const all = yield* numberAll(classes);
  const texts = all.map(({ text }) => lowercase(text));
  const sets = new Map<string, number>([['', 0]]);
  const numberOf = (set: Beside | undefined): number => {
    const key = set ? keyOf(set) : '';
    const known = sets.get(key);
    if (known !== undefined) return known;
    sets.set(key, sets.size);
    return sets.size - 1;
  };
  const heads: Head[] = [];
  for (const [index, text] of texts.entries()) {
    heads.push({ text: text.slice(0, significant), anchored: excludesLetters(all[index]?.before) });
    if (index % 64 === 0) yield;
  }
  const records = new Int32Array(all.length * recordSize);
  let rests = '';
  for (const [index, { id, before, after }] of all.entries()) {
    const text = texts[index] ?? '';
    const from = rests.length;
    rests += text.slice(significant);
    const besideIt = numberOf(before) | (numberOf(after) << 16);
    const named = id | (Math.min(text.length, significant) << 24);
    records.set([named, besideIt, from, rests.length], index * recordSize);
    if (index % 64 === 0) yield;
  }
  const besideWords = Math.ceil(sets.size / 32);
  const besides = new Int32Array((edgeFlag + 1) * besideWords);
  for (const [key, set] of sets) {
    for (let code = 0; code < key.length; code += 1) {
      const word = code * besideWords + (set >> 5);
      if (key.charCodeAt(code) !== 0) besides[word] = (besides[word] ?? 0) | (1 << (set & 31));
    }
    yield;
  }
  return {
    heads,
    records,
    rests: Uint8Array.from(rests, (char) => char.charCodeAt(0)),
    besides,
    besideWords,
  };
}

/** Remembered with the sets, as {@link fewOf}: the rules' own are asked of in each compilation, thousands of times. */
const keys = new WeakMap<Beside, string>();

/** Its flags as a text, equal for equal sets. */
function keyOf(set: Beside): string {
  const known = keys.get(set);
  if (known !== undefined) return known;
  const key = String.fromCharCode(...set);
  keys.set(set, key);
  return key;
}

function excludesLetters(set: Beside | undefined): boolean {
  if (set === undefined) return false;
  for (let letter = 97; letter < 97 + 26; letter += 1)
    if (set[letter] !== 0 || set[letter - 32] !== 0) return false;
  return true;
}

/**
 * One or two bytes occur everywhere, and each occurrence would be compared: where few bytes may stand beside these,
 * they are part of the literal, and so is the edge.
 */
export function lengthened(literal: Literal): readonly Literal[] {
  const { text, before, after } = literal;
  if (text.length >= shortest) return [literal];
  const following = fewOf(after);
  if (following) return following.map((char) => ({ text: text + char, ...(before && { before }) }));
  const preceding = fewOf(before);
  return preceding?.map((char) => ({ text: char + text, ...(after && { after }) })) ?? [literal];
}

const shortest = 3;
const maxBeside = 24;

const fews = new WeakMap<Beside, readonly string[] | 'many'>();

/** The members of a set that has few. */
function fewOf(set: Beside | undefined): readonly string[] | undefined {
  if (!set) return undefined;
  let few = fews.get(set);
  if (few === undefined) {
    const chars = new Set<string>();
    for (let code = 0; code <= edgeFlag && chars.size <= maxBeside; code += 1)
      if (set[code] === 1) chars.add(charOf(code));
    few = chars.size > maxBeside ? 'many' : [...chars];
    fews.set(set, few);
  }
  return few === 'many' ? undefined : few;
}

function charOf(code: number): string {
  return code === edgeFlag ? String.fromCharCode(code) : lowercase(String.fromCharCode(code));
}

/**
 * Whether a literal whose head ends at `at` stands there whole, with what must stand beside it.
 * @param record where what is known of it begins in `records`
 */
export function stands(
  literals: Literals,
  records: Int32Array,
  record: number,
  text: string,
  at: number,
  start: number,
  end: number,
): boolean {
  const beside = records[record + 1] as number;
  const before = beside & 0xffff;
  if (before !== 0) {
    const prior = at - ((records[record] as number) >> 24);
    if (!holds(literals, before, prior < start ? edgeFlag : text.charCodeAt(prior) & 255)) return false;
  }
  let next = at + 1;
  const last = records[record + 3] as number;
  for (let index = records[record + 2] as number; index < last; index += 1) {
    if (next >= end || folded[text.charCodeAt(next) & 255] !== literals.rests[index]) return false;
    next += 1;
  }
  const after = beside >> 16;
  return after === 0 || holds(literals, after, next >= end ? edgeFlag : text.charCodeAt(next) & 255);
}

function holds({ besides, besideWords }: Literals, set: number, code: number): boolean {
  return ((besides[code * besideWords + (set >> 5)] as number) & (1 << (set & 31))) !== 0;
}

/** byte → the same in lower case, ASCII only */
const folded = Uint8Array.from({ length: 256 }, (_unused, code) =>
  code >= 65 && code <= 90 ? code + 32 : code,
);
