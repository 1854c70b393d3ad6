import { hexDigit } from './hex-digit.ts';

/**
 * Decodes CSS escapes once: `\` with up to six hexadecimal digits and one optional white space after them
 * (low byte; full-width forms become ASCII), `\` before a line end vanishes, and before anything else it is dropped.
 * @returns the same string when it holds no backslash
 * @see CSS Syntax Level 3 §4.3.7
 */
export function cssDecode(text: string): string {
  let at = text.indexOf('\\');
  if (at < 0) return text;
  let decoded = '';
  let copied = 0;
  while (at >= 0 && at + 1 < text.length) {
    decoded += text.slice(copied, at);
    let end = at + 1;
    let code = 0;
    for (; end < at + 7; end += 1) {
      const digit = hexDigit(text.charCodeAt(end));
      if (digit < 0) break;
      code = code * 16 + digit;
    }
    if (end > at + 1) {
      decoded += toByte(code);
      if (/[ \t\r\n\f]/.test(text[end] ?? '')) end += 1;
    } else {
      if (text[end] !== '\n') decoded += text[end] ?? '';
      end += 1;
    }
    copied = end;
    at = text.indexOf('\\', copied);
  }
  return decoded + text.slice(copied);
}

function toByte(codePoint: number): string {
  if (codePoint >= 0xff01 && codePoint <= 0xff5e) return String.fromCharCode(codePoint - 0xfee0);
  return String.fromCharCode(codePoint & 0xff);
}
