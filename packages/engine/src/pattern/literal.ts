import { type Beside, edgeFlag } from './beside.ts';

/** A text to be sought without regard to ASCII case, and what may stand beside it. */
export interface Literal {
  /** lower case, latin1 */
  readonly text: string;
  /** absent: anything */
  readonly before?: Beside;
  /** absent: anything */
  readonly after?: Beside;
}

/** Literals of which one is enough. */
export type Clause = readonly Literal[];

/** How often a byte stands at a given place of ordinary requests, roughly: only the order of clauses hangs on it. */
const frequency = Float64Array.from({ length: edgeFlag + 1 }, (_unused, code) => {
  if (code === edgeFlag) return 0.1;
  if (code >= 97 && code <= 122) return 0.03;
  if (code >= 65 && code <= 90) return 0.01;
  if (code >= 48 && code <= 57) return 0.02;
  if ('/.-_=&:%," '.includes(String.fromCharCode(code))) return 0.02;
  return code > 32 && code < 127 ? 0.004 : 0.0005;
});

const frequencies = new WeakMap<Beside, number>();

function frequencyOf(set: Beside | undefined): number {
  if (!set) return 1;
  const known = frequencies.get(set);
  if (known !== undefined) return known;
  let sum = 0;
  for (let code = 0; code <= edgeFlag; code += 1) if (set[code] === 1) sum += frequency[code] ?? 0;
  frequencies.set(set, Math.min(1, sum));
  return Math.min(1, sum);
}

/** How likely a place of an ordinary text is to fulfil a clause. 1 for one that says nothing. */
export function likelihood(clause: Clause): number {
  let sum = 0;
  for (const { text, before, after } of clause) {
    if (text === '') return 1;
    sum += frequencyOf(before) * frequencyOf(after) * frequencyOfText(text);
  }
  return clause.length === 0 ? 1 : Math.min(1, sum);
}

/** How often something must be compared to look for a clause by the first `length` bytes of its literals. */
export function costOf(clause: Clause, length: number): number {
  return clause.reduce((sum, { text }) => sum + frequencyOfText(text.slice(0, length)), 0);
}

function frequencyOfText(text: string): number {
  let product = 1;
  for (let at = 0; at < text.length; at += 1) product *= frequency[text.charCodeAt(at) & 255] ?? 0;
  return product;
}
