import { hexByte } from './hex-digit.ts';

/**
 * As `urlDecode`, and also Microsoft's `%uXXXX`: the low byte is taken, and full-width forms (U+FF01 to
 * U+FF5E) become the ASCII character they look like, as IIS maps them.
 * @returns the same string when nothing was encoded
 * @see ModSecurity reference manual, urlDecodeUni
 */
export function urlDecodeUni(text: string): string {
  return percentDecodeUni(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** As {@link urlDecodeUni}, but `+` stays. */
export function percentDecodeUni(source: string): string {
  const firstPercent = source.indexOf('%');
  if (firstPercent < 0) return source;
  let decoded = '';
  let copied = 0;
  for (let at = firstPercent; at >= 0; at = source.indexOf('%', at)) {
    const unicode = (source.charCodeAt(at + 1) | 32) === 117 ? unicodeEscape(source, at + 2) : -1;
    const byte = unicode >= 0 ? unicode : hexByte(source, at + 1);
    if (byte < 0) {
      at += 1;
      continue;
    }
    decoded += source.slice(copied, at) + String.fromCharCode(byte);
    at += unicode >= 0 ? 6 : 3;
    copied = at;
  }
  return copied === 0 ? source : decoded + source.slice(copied);
}

function unicodeEscape(text: string, at: number): number {
  const high = hexByte(text, at);
  const low = hexByte(text, at + 2);
  if (high < 0 || low < 0) return -1;
  // The slashes of mathematics, which IIS maps too.
  if (high === 0x22 && (low === 0x15 || low === 0x16)) return low === 0x15 ? 0x2f : 0x5c;
  if (high === 0x20 && low === 0x44) return 0x2f;
  return high === 0xff && low > 0 && low < 0x5f ? low + 0x20 : low;
}
