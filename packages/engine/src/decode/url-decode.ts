import { hexByte } from './hex-digit.ts';

/**
 * Decodes `%XX` and `+` once, as a form parser does. Invalid escapes stay literal. Never throws.
 * @returns the same string when nothing was encoded
 * @see RFC 3986 §2.1, WHATWG URL §5.1
 */
export function urlDecode(text: string): string {
  return percentDecode(text, true);
}

/** Shorter ones are decoded here sooner than there. */
const longText = 512;

/** As {@link urlDecode}, but `+` stays: in a path it is a plus. */
export function percentDecode(text: string, plusIsSpace = false): string {
  const firstPercent = text.indexOf('%');
  const source = plusIsSpace && text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (firstPercent < 0) return source;
  // The language's own function leaves no garbage on long texts, but decodes `%uXXXX` too.
  if (source.length > longText && !source.includes('%u', firstPercent)) return unescape(source);
  let decoded = '';
  let copied = 0;
  for (let at = firstPercent; at >= 0; at = source.indexOf('%', at)) {
    const byte = hexByte(source, at + 1);
    if (byte < 0) {
      at += 1;
      continue;
    }
    decoded += source.slice(copied, at) + String.fromCharCode(byte);
    at += 3;
    copied = at;
  }
  return copied === 0 ? source : decoded + source.slice(copied);
}
