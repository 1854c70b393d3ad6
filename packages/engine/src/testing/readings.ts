import { type PatternNode, placesOfLoop } from '../pattern/index.ts';

/**
 * Whether some text can be cut into rounds of a loop in two ways; then a backtracking matcher, where the end does
 * not fit, tries twice as many with each such text. Exact but for what looks around, which is taken to let
 * everything pass, and for counts within a round, which are taken for endless where they leave a choice or go beyond 8.
 * @param item what the loop repeats
 * @see Weber and Seidl, On the degree of ambiguity of finite automata (1991)
 */
export function hasTwoReadings(item: PatternNode): boolean {
  const places = placesOfLoop(item);
  if (!places) return true;
  const { sets, next, first, last } = places;
  const pairs: (readonly [number, number])[] = [];
  const seen = new Set<number>();
  const enter = (one: readonly number[], other: readonly number[]): boolean => {
    for (const [index, a] of one.entries())
      for (const [at, b] of other.entries()) {
        if (!overlap(sets[a], sets[b]) || (one === other && at < index)) continue;
        if (a === b) {
          // The same place: by a second way, or after the ways had parted.
          if (one !== other || index !== at) return true;
        } else if (!seen.has(a * sets.length + b)) {
          seen.add(a * sets.length + b);
          pairs.push([a, b]);
        }
      }
    return false;
  };
  if (enter(first, first) || next.some((after) => enter(after, after))) return true;
  const ends = new Set(last);
  for (const [a, b] of pairs) {
    if (ends.has(a) && ends.has(b)) return true;
    if (enter(next[a] ?? [], next[b] ?? [])) return true;
  }
  return false;
}

function overlap(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one?.some((flag, byte) => flag === 1 && other?.[byte] === 1) ?? false;
}
