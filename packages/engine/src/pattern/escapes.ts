import { type ByteSet, complement, digits, spaces, wordBytes } from './ast.ts';

/** The bytes of `\d`, `\w`, `\s` or their capitals; undefined for any other letter. */
export function classEscape(letter: string): ByteSet | undefined {
  switch (letter) {
    case 'd':
      return digits;
    case 'D':
      return complement(digits);
    case 'w':
      return wordBytes;
    case 'W':
      return complement(wordBytes);
    case 's':
      return spaces;
    case 'S':
      return complement(spaces);
    default:
      return undefined;
  }
}

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };

/**
 * The character that the escape at `at` (its backslash) spells, and where it ends; undefined for a letter
 * that spells none, since a later standard may give it a meaning.
 */
export function readCharEscape(source: string, at: number): { code: number; end: number } | undefined {
  const next = source[at + 1] ?? '';
  const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at + 1, at + 7));
  if (hex) return { code: Number.parseInt(hex[1] ?? hex[2] ?? '', 16), end: at + 1 + hex[0].length };
  const control = controls[next];
  if (control !== undefined) {
    return next === '0' && /\d/.test(source[at + 2] ?? '') ? undefined : { code: control, end: at + 2 };
  }
  if (next === '' || /[A-Za-z0-9]/.test(next)) return undefined;
  const code = source.codePointAt(at + 1) ?? 0;
  return { code, end: at + 1 + (code > 0xffff ? 2 : 1) };
}
