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

/** What stands at a given place of ordinary requests and prose, roughly and in both cases: the first that holds counts. */
const shares: readonly (readonly [chars: string, share: number])[] = [
  [' ', 0.06],
  ['etaoinsrcd', 0.045],
  ['/', 0.04],
  ['plmuhg', 0.02],
  ['0123456789', 0.018],
  ['."_-', 0.014],
  ['bfjkqvwxyz', 0.012],
  [':,=%@+&', 0.006],
];

/** Only the choice and the order of clauses hang on it. */
const frequency = Float64Array.from({ length: edgeFlag + 1 }, (_unused, code) => {
  if (code === edgeFlag) return 0.1;
  const char = String.fromCharCode(code);
  const share = shares.find(([chars]) => chars.includes(char.toLowerCase()))?.[1];
  if (share !== undefined) return /[A-Z]/.test(char) ? share / 4 : share;
  return code > 32 && code < 127 ? 0.002 : 0.0005;
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
