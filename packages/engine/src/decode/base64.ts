const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** char code → six bits; -1 for anything outside both alphabets (RFC 4648 §4 and §5) */
export const sixBits = new Int8Array(256).fill(-1);
for (let index = 0; index < 64; index += 1) sixBits[alphabet.charCodeAt(index)] = index;
sixBits[45] = 62;
sixBits[95] = 63;

/**
 * Decodes base64 up to the first character that is outside the alphabet. Padding is not asked for.
 * @see RFC 4648 §4
 */
export function base64Decode(text: string): string {
  return decode(text, false);
}

/**
 * Decodes base64 and skips whatever is outside the alphabet, as PHP and most mail parsers do. Accepts the
 * URL-safe alphabet too.
 */
export function base64DecodeExt(text: string): string {
  return decode(text, true);
}

function decode(text: string, skipForeign: boolean): string {
  const bytes: string[] = [];
  let chunk = '';
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = sixBits[text.charCodeAt(at)] ?? -1;
    if (value < 0) {
      if (skipForeign) continue;
      break;
    }
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    chunk += String.fromCharCode((bits >> held) & 0xff);
    if (chunk.length === 4096) {
      bytes.push(chunk);
      chunk = '';
    }
  }
  return bytes.length === 0 ? chunk : bytes.join('') + chunk;
}

/** Encodes with padding. @see RFC 4648 §4 */
export function base64Encode(text: string): string {
  let encoded = '';
  for (let at = 0; at < text.length; at += 3) {
    const left = text.length - at;
    const bits =
      ((text.charCodeAt(at) & 255) << 16) |
      (left > 1 ? (text.charCodeAt(at + 1) & 255) << 8 : 0) |
      (left > 2 ? text.charCodeAt(at + 2) & 255 : 0);
    encoded += (alphabet[bits >> 18] ?? '') + (alphabet[(bits >> 12) & 63] ?? '');
    encoded += left > 1 ? alphabet[(bits >> 6) & 63] : '=';
    encoded += left > 2 ? alphabet[bits & 63] : '=';
  }
  return encoded;
}
