/** Which of PCRE's options are on at a place of a pattern. */
export interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
}

/** The options after `(?on-off)`. */
export function flagsAfter(flags: Flags, on: string, off: string): Flags {
  const has = (name: keyof Flags) => (flags[name] || on.includes(name)) && !off.includes(name);
  return { i: has('i'), m: has('m'), s: has('s'), x: has('x') };
}

/**
 * Takes `(?i)` and its like from the head of a pattern, also where the whole pattern is one `(?i:…)`, so that
 * the RegExp itself can carry the flag.
 */
export function readLeadingFlags(source: string, flags: Flags): { flags: Flags; body: string } {
  const bare = /^\(\?([imsx]+)(?:-([imsx]+))?\)/.exec(source);
  if (bare) {
    return readLeadingFlags(source.slice(bare[0].length), flagsAfter(flags, bare[1] ?? '', bare[2] ?? ''));
  }
  const scoped = /^\(\?([imsx]+):/.exec(source);
  if (scoped && closingOf(source) === source.length - 1) {
    const body = `(?:${source.slice(scoped[0].length)}`;
    return { flags: flagsAfter(flags, scoped[1] ?? '', ''), body };
  }
  return { flags, body: source };
}

/** Index of the `)` that closes the group with which the source begins, or -1. */
function closingOf(source: string): number {
  let depth = 0;
  for (const token of source.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (token[0] === '(') depth += 1;
    if (token[0] !== ')') continue;
    depth -= 1;
    if (depth === 0) return token.index;
  }
  return -1;
}
