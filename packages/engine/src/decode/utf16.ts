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
