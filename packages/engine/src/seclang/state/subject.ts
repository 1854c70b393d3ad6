import { type Transformation, transformations } from '../../decode/index.ts';
import { htmlEntityDecode } from './html-entity-decode.ts';

/**
 * A text under inspection, and what it becomes: each transformation is applied at most once to it, and one
 * that changes nothing yields the subject itself, so whatever is known of a text is known of all its uses.
 */
export interface Subject {
  readonly text: string;
  /** by number of transformation; filled as they are asked for */
  readonly steps: (Subject | undefined)[];
  /** by gate bit, 32 a word: rules that may match this text; absent until asked for */
  gates: Uint32Array | undefined;
}

/** A subject of which nothing is known yet. */
export function newSubject(text: string): Subject {
  return { text, steps: [], gates: undefined };
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
  const known = subject.steps[number];
  if (known) return known;
  const apply = functions[number];
  const text = apply ? apply(subject.text) : subject.text;
  const result = text === subject.text ? subject : newSubject(text);
  subject.steps[number] = result;
  return result;
}

/** The subject after a chain of transformations. */
export function transformAll(subject: Subject, chain: readonly number[]): Subject {
  let result = subject;
  for (const number of chain) result = transform(result, number);
  return result;
}

/** Subjects of short values that come again and again (headers, names), up to a bound on their bytes. */
export interface SubjectCache {
  readonly subjectOf: (text: string) => Subject;
}

const longestKept = 512;

/**
 * Keeps the subjects of short texts over many requests, in two generations: what was not asked for during
 * the last generation is forgotten.
 * @param perGeneration texts kept in each of the two
 */
export function createSubjectCache(perGeneration = 2048): SubjectCache {
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
