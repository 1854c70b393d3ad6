import { lowercase } from '../decode/index.ts';
import { type Beside, edgeFlag, type Literal } from '../pattern/index.ts';
import type { Steps } from './steps.ts';
import type { Head } from './trie.ts';

/** A literal as a gate names it: a bare text of any case, or one with what must stand beside it. */
export type GateLiteral = string | Literal;

/** Longer literals are cut for the automaton, so that its tables stay small; the rest is compared. */
export const significant = 7;

const setSize = edgeFlag + 1;

/** Every literal of every class, laid flat. */
export interface Literals {
  /** the part of each literal that the automaton finds */
  readonly heads: readonly Head[];
  readonly classOf: Int32Array;
  readonly headLengths: Uint8Array;
  /** where each literal's remaining bytes begin in `rests` */
  readonly restOffsets: Int32Array;
  readonly rests: Uint8Array;
  /** number of the set that must hold the byte before (after) a literal; 0: any */
  readonly befores: Uint16Array;
  readonly afters: Uint16Array;
  /** flags of each set, `setSize` apart */
  readonly sets: Uint8Array;
  readonly bytes: number;
}

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
  const keys = new Map<Beside | undefined, string>([[undefined, '']]);
  const numberOf = (set: Beside | undefined): number => {
    const key = keys.get(set) ?? String.fromCharCode(...(set ?? []));
    keys.set(set, key);
    const known = sets.get(key);
    if (known !== undefined) return known;
    sets.set(key, sets.size);
    return sets.size - 1;
  };
  const rests = texts.map((text) => text.slice(significant));
  const restOffsets = new Int32Array(all.length + 1);
  for (const [index, rest] of rests.entries())
    restOffsets[index + 1] = (restOffsets[index] ?? 0) + rest.length;
  const heads: Head[] = [];
  for (const [index, text] of texts.entries()) {
    heads.push({ text: text.slice(0, significant), anchored: excludesLetters(all[index]?.before) });
    if (index % 64 === 0) yield;
  }
  const befores = new Uint16Array(all.length);
  const afters = new Uint16Array(all.length);
  for (const side of ['before', 'after'] as const) {
    for (const [index, literal] of all.entries()) {
      (side === 'before' ? befores : afters)[index] = numberOf(literal[side]);
      if (index % 64 === 0) yield;
    }
  }
  yield;
  const flags = Uint8Array.from([...sets.keys()].join('').padStart(sets.size * setSize, '\x01'), (char) =>
    char.charCodeAt(0),
  );
  yield;
  return {
    heads,
    classOf: Int32Array.from(all, ({ id }) => id),
    headLengths: Uint8Array.from(texts, (text) => Math.min(text.length, significant)),
    restOffsets,
    rests: Uint8Array.from(rests.join(''), (char) => char.charCodeAt(0)),
    befores,
    afters,
    sets: flags,
    bytes: flags.length + all.length * 16 + rests.join('').length,
  };
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

/** The members of a set that has few. */
function fewOf(set: Beside | undefined): readonly string[] | undefined {
  if (!set) return undefined;
  const chars = new Set([...set.keys()].filter((code) => set[code] === 1).map(charOf));
  return chars.size > maxBeside ? undefined : [...chars];
}

function charOf(code: number): string {
  return code === edgeFlag ? String.fromCharCode(code) : lowercase(String.fromCharCode(code));
}

/** Whether a literal whose head ends at `at` stands there whole, with what must stand beside it. */
export function stands(
  literals: Literals,
  literal: number,
  text: string,
  at: number,
  start: number,
  end: number,
): boolean {
  const { restOffsets, rests, befores, afters, sets, headLengths } = literals;
  const before = befores[literal] as number;
  const prior = at - (headLengths[literal] as number);
  if (before !== 0) {
    const code = prior < start ? edgeFlag : text.charCodeAt(prior) & 255;
    if (sets[Math.imul(before, setSize) + code] === 0) return false;
  }
  let next = at + 1;
  const last = restOffsets[literal + 1] as number;
  for (let index = restOffsets[literal] as number; index < last; index += 1) {
    if (next >= end || folded[text.charCodeAt(next) & 255] !== rests[index]) return false;
    next += 1;
  }
  const after = afters[literal] as number;
  if (after === 0) return true;
  const code = next >= end ? edgeFlag : text.charCodeAt(next) & 255;
  return sets[Math.imul(after, setSize) + code] !== 0;
}

/** byte → the same in lower case, ASCII only */
const folded = Uint8Array.from({ length: 256 }, (_unused, code) =>
  code >= 65 && code <= 90 ? code + 32 : code,
);
