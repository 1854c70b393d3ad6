import { hexByte, hexDigit } from './hex-digit.ts';

const single: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Decodes JavaScript string escapes once: `\xHH`, `\uHHHH` and `\u{…}` (low byte; full-width forms become
 * ASCII), octal up to `\377`, the single-letter ones, and a backslash before anything else is dropped.
 * @returns the same string when it holds no backslash
 * @see ECMA-262 §12.9.4
 */
export function jsDecode(text: string): string {
  let at = text.indexOf('\\');
  if (at < 0) return text;
  let decoded = '';
  let copied = 0;
  while (at >= 0 && at + 1 < text.length) {
    const found = readEscape(text, at);
    decoded += text.slice(copied, at) + found.char;
    copied = at + found.length;
    at = text.indexOf('\\', copied);
  }
  return decoded + text.slice(copied);
}

interface Escape {
  readonly char: string;
  readonly length: number;
}

function readEscape(text: string, at: number): Escape {
  const next = text[at + 1] ?? '';
  if (next === 'x') {
    const byte = hexByte(text, at + 2);
    return byte < 0 ? { char: 'x', length: 2 } : { char: String.fromCharCode(byte), length: 4 };
  }
  if (next === 'u') return unicodeEscape(text, at);
  if (next >= '0' && next <= '7') return octalEscape(text, at);
  return { char: single[next] ?? next, length: 2 };
}

function unicodeEscape(text: string, at: number): Escape {
  if (text[at + 2] === '{') return bracedEscape(text, at);
  const high = hexByte(text, at + 2);
  const low = hexByte(text, at + 4);
  if (high < 0 || low < 0) return { char: 'u', length: 2 };
  return { char: toByte(high * 256 + low), length: 6 };
}

function bracedEscape(text: string, at: number): Escape {
  let code = 0;
  let end = at + 3;
  // Leading zeros are legal and unbounded; 64 digits are more than any parser is asked for.
  for (; end < at + 67; end += 1) {
    const digit = hexDigit(text.charCodeAt(end));
    if (digit < 0) break;
    code = Math.min(code * 16 + digit, 0x110000);
  }
  if (end === at + 3 || text[end] !== '}') return { char: 'u', length: 2 };
  return { char: toByte(code), length: end + 1 - at };
}

function octalEscape(text: string, at: number): Escape {
  let code = 0;
  let end = at + 1;
  for (; end < at + 4; end += 1) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 7) || code * 8 + digit > 255) break;
    code = code * 8 + digit;
  }
  return { char: String.fromCharCode(code), length: end - at };
}

function toByte(codePoint: number): string {
  if (codePoint >= 0xff01 && codePoint <= 0xff5e) return String.fromCharCode(codePoint - 0xfee0);
  return String.fromCharCode(codePoint & 0xff);
}
