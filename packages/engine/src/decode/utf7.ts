import { base64Decode } from './base64.ts';

/**
 * Decodes UTF-7 shifts such as `+ADw-script+AD4-` (`<script>`); only shifts whose every code unit is ASCII,
 * since any other text merely looks like one.
 * @returns the same string when there is none
 * @see RFC 2152
 */
export function utf7Decode(text: string): string {
  if (!text.includes('+A')) return text;
  return text.replace(/\+(A[A-Za-z0-9+/]{2,64})-?/g, (whole, shifted: string) => {
    const bytes = base64Decode(shifted);
    if (bytes.length < 2 || bytes.length % 2 !== 0) return whole;
    let decoded = '';
    for (let at = 0; at < bytes.length; at += 2) {
      const low = bytes.charCodeAt(at + 1);
      if (bytes.charCodeAt(at) !== 0 || low > 126 || low < 9) return whole;
      decoded += String.fromCharCode(low);
    }
    return decoded;
  });
}
