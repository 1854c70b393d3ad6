/**
 * Reads UTF-16 text whose characters are ASCII, in either byte order and with or without a byte order mark,
 * as that ASCII text: `<\0s\0` is `<s`.
 * @returns the same string when fewer than three of four byte pairs look like it
 */
export function utf16Decode(text: string): string {
  if (text.length < 4 || !text.includes('\0')) return text;
  const marked = text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff');
  const body = marked ? text.slice(2) : text;
  const pairs = body.length >> 1;
  let little = 0;
  let big = 0;
  for (let at = 0; at + 1 < body.length; at += 2) {
    if (body[at + 1] === '\0') little += 1;
    if (body[at] === '\0') big += 1;
  }
  if (Math.max(little, big) * 4 < pairs * 3) return text;
  return body.replaceAll('\0', '');
}

/**
 * Reads a file that says it is UTF-16, by its mark or by where the zeros of a first `<` stand, whatever else is in it:
 * XML 1.0, appendix F. Beyond latin1 each character is a question mark, so that no one of them looks like markup.
 * @returns undefined where it says no such thing
 */
export function utf16File(bytes: string): string | undefined {
  const marked = /^(?:\xff\xfe|\xfe\xff)/.test(bytes);
  if (!marked && !/^(?:<\0|\0<)/.test(bytes)) return undefined;
  const bigEndian = bytes.startsWith('\xfe\xff') || bytes.startsWith('\0');
  let text = '';
  for (let at = marked ? 2 : 0; at + 1 < bytes.length; at += 2) {
    const low = bigEndian ? at + 1 : at;
    const high = bigEndian ? at : at + 1;
    text += bytes.charCodeAt(high) === 0 ? bytes[low] : '?';
  }
  return text;
}
