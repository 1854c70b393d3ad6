import { hexByte } from './hex-digit.ts';

const single: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  "'": "'",
  '"': '"',
};

/**
 * Decodes ANSI C escapes once: the single-letter ones, `\xHH` and `\OOO`. Unknown escapes stay literal.
 * @returns the same string when it holds no backslash
 * @see ModSecurity reference manual, escapeSeqDecode
 */
export function escapeSeqDecode(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:([abfnrtv\\?'"])|x([0-9a-fA-F]{2})|([0-7]{1,3}))/g,
    (_whole, letter?: string, hex?: string, octal?: string) => {
      if (letter !== undefined) return single[letter] ?? letter;
      if (hex !== undefined) return String.fromCharCode(hexByte(hex, 0));
      return String.fromCharCode(Number.parseInt(octal ?? '0', 8) & 0xff);
    },
  );
}
