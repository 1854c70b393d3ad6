import type { PatternNode } from './ast.ts';
import { type Places, placesOfLoop } from './places.ts';

/** Loops of more places than this are taken for ambiguous, since finding out takes the square of them. */
const maxPlaces = 400;

/**
 * Whether a text can be cut into iterations of a loop in one way only, and each iteration be walked in one way
 * only; then a backtracking matcher has nothing to try again but where to leave the loop. May say no where it is
 * so, never yes where it is not.
 * @see Brüggemann-Klein and Wood, One-unambiguous regular languages (1998)
 */
export function isUnambiguousLoop(item: PatternNode): boolean {
  const places = placesOfLoop(item, maxPlaces);
  if (!places || places.looks || places.hollow || places.nullable) return false;
  return areApart(places.first, places) && places.next.every((next) => areApart(next, places));
}

function areApart(chosen: readonly number[], { sets }: Places): boolean {
  const union = new Uint8Array(256);
  for (const place of chosen) {
    const set = sets[place];
    for (let byte = 0; set && byte < 256; byte += 1) {
      if (set[byte] !== 1) continue;
      if (union[byte] === 1) return false;
      union[byte] = 1;
    }
  }
  return true;
}
