import { type Transformation, transformations } from '../../decode/index.ts';
import { htmlEntityDecode } from './html-entity-decode.ts';

/**
 * A text under inspection, and what it becomes: each transformation is applied at most once to it, and one
 * that changes nothing yields the subject itself, so whatever is known of a text is known of all its uses.
 */
export interface Subject {
  readonly text: string;
  /** by number of transformation, 32 a word (there are 40): those that are known to leave it as it is */
  sameLow: number;
  sameHigh: number;
  /** what others have made of it */
  changed: Change | undefined;
  /** by gate bit, 32 a word: rules that may match this text; absent until asked for */
  gates: Bits | undefined;
}

/** A set of bits, 32 a word. Plain numbers: a typed array costs more to make than most sets are ever asked. */
export type Bits = number[];

interface Change {
  readonly number: number;
  readonly result: Subject;
  readonly next: Change | undefined;
}

/** Transformations in order, and the set of them. */
export interface Chain {
  readonly numbers: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** A subject of which nothing is known yet. */
export function newSubject(text: string): Subject {
  return { text, sameLow: 0, sameHigh: 0, changed: undefined, gates: undefined };
}

/** The chain of these transformations. */
export function chainOf(numbers: readonly number[]): Chain {
  let [low, high] = [0, 0];
  for (const number of numbers) {
    if (number < 32) low |= 1 << number;
    else high |= 1 << (number - 32);
  }
  return { numbers, low, high };
}

const names: string[] = [];
const functions: Transformation[] = [];
for (const [name, apply] of Object.entries<Transformation>({ ...transformations, htmlEntityDecode })) {
  names.push(name.toLowerCase());
  functions.push(apply);
}

/** The number of the transformation of that name (any case), or -1. */
export function transformationNumber(name: string): number {
  return names.indexOf(name.toLowerCase());
}

/** The subject after one transformation. */
export function transform(subject: Subject, number: number): Subject {
  const bit = 1 << (number & 31);
  if (((number < 32 ? subject.sameLow : subject.sameHigh) & bit) !== 0) return subject;
  for (let change = subject.changed; change; change = change.next) {
    if (change.number === number) return change.result;
  }
  const apply = functions[number];
  const text = apply ? apply(subject.text) : subject.text;
  if (text !== subject.text) {
    subject.changed = { number, result: newSubject(text), next: subject.changed };
    return subject.changed.result;
  }
  if (number < 32) subject.sameLow |= bit;
  else subject.sameHigh |= bit;
  return subject;
}

/** The subject after a chain of transformations. */
export function transformAll(subject: Subject, { numbers, low, high }: Chain): Subject {
  if ((subject.sameLow & low) === low && (subject.sameHigh & high) === high) return subject;
  let result = subject;
  for (const number of numbers) result = transform(result, number);
  return result;
}

/** Subjects of short values that come again, up to a bound on their bytes. */
export interface SubjectCache {
  readonly subjectOf: (text: string) => Subject;
}

/** What is kept of one rule set's texts over requests. */
export interface SubjectCaches {
  /** of the request's head, which browsers send alike again and again */
  readonly head: SubjectCache;
  /** of parameters, most of which are new: kept for so few requests that what is forgotten was never old */
  readonly others: SubjectCache;
}

/** Caches that know no text yet. */
export function createSubjectCaches(): SubjectCaches {
  return { head: createSubjectCache(2048), others: createSubjectCache(256) };
}

const longestKept = 512;

/**
 * Keeps the subjects of short texts over many requests, in two generations: what was not asked for during
 * the last generation is forgotten.
 * @param perGeneration texts kept in each of the two
 */
function createSubjectCache(perGeneration: number): SubjectCache {
  let young = new Map<string, Subject>();
  let old = new Map<string, Subject>();
  function subjectOf(text: string): Subject {
    if (text.length > longestKept) return newSubject(text);
    const known = young.get(text);
    if (known) return known;
    const subject = old.get(text) ?? newSubject(text);
    if (young.size >= perGeneration) {
      old = young;
      young = new Map();
    }
    young.set(text, subject);
    return subject;
  }
  return { subjectOf };
}
