import { type ByteSet, byteSet } from './ast.ts';

/** What may stand beside a place in a text: a flag for each byte, and a last one for the text's edge. */
export type Beside = Uint8Array;

/** Where a {@link Beside} keeps the flag for the edge. */
export const edgeFlag = 256;

/** One of these bytes; `edge`: or nothing, for the text begins or ends there. */
export function beside(set: ByteSet, options: { readonly edge: boolean }): Beside {
  const flags = new Uint8Array(edgeFlag + 1);
  flags.set(set);
  flags[edgeFlag] = options.edge ? 1 : 0;
  return flags;
}

/** One of the bytes in these ranges, both ends included. */
export function besideOneOf(...ranges: readonly (readonly [first: number, last: number])[]): Beside {
  return beside(byteSet(...ranges), { edge: false });
}

/** What is in either. */
export function union(left: Beside, right: Beside): Beside {
  const both = left.slice();
  for (let byte = 0; byte <= edgeFlag; byte += 1) if (right[byte] === 1) both[byte] = 1;
  return both;
}

/** What is in both. */
export function intersection(left: Beside, right: Beside): Beside {
  const both = left.slice();
  for (let byte = 0; byte <= edgeFlag; byte += 1) if (right[byte] === 0) both[byte] = 0;
  return both;
}
