import { expect, test } from 'vitest';
import { everyPattern } from './testing/patterns.ts';
import { findHurting } from './testing/pumps.ts';

/**
 * Milliseconds of CPU for a text of 4 KB. What takes the cube of it takes more, and what takes the square a tenth of it:
 * a text's windows are 8 KB, and many patterns see less.
 */
const most = 300;

const trial = { seed: 1, tried: 96, kept: 4, size: 4096, most } as const;
/** A third of the texts, for each of many hundred patterns. */
const brief = { ...trial, tried: 32, kept: 2 } as const;

test('no text built from a pattern of the engine keeps it busy', { timeout: 300_000 }, async () => {
  const patterns = [...(await everyPattern()).values()];
  expect(patterns.length).toBeGreaterThan(800);
  const hurt = patterns.flatMap((pattern) => {
    const text = findHurting(pattern, brief);
    return text ? [{ pattern: String(pattern), text: text.told }] : [];
  });
  expect(hurt).toEqual([]);
});

/** One trial in four finds the hardest of those below. */
const trials = [1, 2, 3, 4, 5, 6, 7, 8];

/** As the engine had them once; each loop of the first four had one reading. */
test.each([
  /^[^'"]*(?:[a-z\x80-\xff]{2,}\s[a-z\x80-\xff]{2,}\s(['"])(?:[=<>+]{1,2}|&&|\|\||and|x?or|not|like)\1[\s.!)]*|(?:^|\s)(['"])(?:and|x?or|not|like)\2\s(?:operators?|words?)\b[a-z\s,]*)$/i,
  /[a-z\x80-\xff']{2,}[\s,]+[a-z\x80-\xff']{2,}[.!?]{1,3}"\s{1,3}--\s*$/i,
  /(?:--(?:[\s+-]*|\s?\w{1,2})|(?<!\b[cf])#\s?\w{0,2}|\/\*)\s*$/i,
  /(?:--[\s+-]*|#|\/\*)\s*$/,
  /\.{2,4}[/\\;]{1,3}(?:[\w.-]{0,40}[/\\]{1,3}){0,20}(?:etc|proc(?!_)|windows|winnt|boot\.ini)/i,
  /['"][\s)\xa0]*(?:\/\*[^*]{0,80}\*+\/[\s\xa0]*|\/\*!\d{0,6})*(?:x?or\b|and\b|div\b|like\b|\|\||&&)/i,
  /^(?:(?:[\w\s@.+,%()*-]|[\xc2-\xf4][\x80-\xbf]{1,3}){0,200}[^\w]?){2}$/,
  /(?<!^\s{0,9}(?:query|mutation|subscription)(?:\s{1,9}\w{1,60})?\s{0,9}\((?:\s{0,9}\$\w{1,40}:[\s\w[\]!]{1,60},?){0,12}\s{0,9})\$where['"]?\s{0,9}[:=]/i,
])('%s is found to be kept busy', (pattern) => {
  const found = trials.some((seed) => findHurting(pattern, { ...trial, seed }));
  expect(found).toBe(true);
});
