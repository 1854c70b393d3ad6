import { hexByte } from './hex-digit.ts';

/**
 * Decodes pairs of hexadecimal digits; a pair that is none, and an odd last digit, end the decoding.
 * @returns the decoded bytes
 */
export function hexDecode(text: string): string {
  let decoded = '';
  for (let at = 0; at + 1 < text.length; at += 2) {
    const byte = hexByte(text, at);
    if (byte < 0) break;
    decoded += String.fromCharCode(byte);
  }
  return decoded;
}

/** Two lower-case digits a byte. */
export function hexEncode(text: string): string {
  let encoded = '';
  for (let at = 0; at < text.length; at += 1) {
    encoded += (text.charCodeAt(at) & 0xff).toString(16).padStart(2, '0');
  }
  return encoded;
}

/**
 * Decodes SQL's `0x…` literals in place, as MySQL reads them.
 * @returns the same string when there is none
 */
export function sqlHexDecode(text: string): string {
  if (!/0x/i.test(text)) return text;
  return text.replace(/0x((?:[0-9a-f]{2})+)/gi, (_whole, digits: string) => hexDecode(digits));
}
