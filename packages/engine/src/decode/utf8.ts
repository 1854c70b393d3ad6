/**
 * Rewrites overlong UTF-8 sequences to the ASCII character they smuggle: `C0 BC` is `<`, `E0 80 AF` is `/`.
 * Conforming decoders refuse them, old ones don't. Five and six byte forms, which no longer exist, included.
 * @returns the same string when there is none
 * @see RFC 3629 §10
 */
export function overlongUtf8(text: string): string {
  if (!/[\xc0\xc1\xe0\xf0\xf8\xfc]/.test(text)) return text;
  return text.replace(
    /[\xc0\xc1][\x80-\xbf]|\xe0[\x80\x81][\x80-\xbf]|\xf0\x80[\x80\x81][\x80-\xbf]|\xf8\x80\x80[\x80\x81][\x80-\xbf]|\xfc\x80\x80\x80[\x80\x81][\x80-\xbf]|[\xc0\xc1][\x20-\x7f]/g,
    (sequence) => {
      const last = sequence.charCodeAt(sequence.length - 1);
      // A second byte below 0x80 is no continuation at all; decoders that only mask still read it (`C0 2E`).
      if (last < 0x80) return String.fromCharCode(((sequence.charCodeAt(0) & 1) << 6) | (last & 0x3f));
      return String.fromCharCode(((sequence.charCodeAt(sequence.length - 2) & 1) << 6) | (last & 0x3f));
    },
  );
}

/**
 * Folds full-width forms (U+FF01 to U+FF5E, as UTF-8) and the slashes of mathematics (U+2044, U+2215, U+2216) to
 * ASCII, as databases and file systems with a best-fit charset do.
 * @returns the same string when there is none
 */
export function fullWidth(text: string): string {
  if (!/\xef[\xbc\xbd]|\xe2(?:\x81\x84|\x88[\x95\x96])/.test(text)) return text;
  return text
    .replace(/\xe2(?:\x81\x84|\x88\x95)/g, '/')
    .replaceAll('\xe2\x88\x96', '\\')
    .replace(/\xef(?:\xbc([\x81-\xbf])|\xbd([\x80-\x9e]))/g, (_whole, low?: string, high?: string) =>
      low === undefined
        ? String.fromCharCode((high ?? ' ').charCodeAt(0) - 0x80 + 0x60)
        : String.fromCharCode(low.charCodeAt(0) - 0x60),
    );
}

/**
 * Writes every well-formed multi-byte UTF-8 sequence as `%uXXXX`, so that patterns can name a code point.
 * @see ModSecurity reference manual, utf8toUnicode
 */
export function utf8ToUnicode(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  return text.replace(
    /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    (sequence) => {
      let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
      for (let at = 1; at < sequence.length; at += 1) code = (code << 6) | (sequence.charCodeAt(at) & 0x3f);
      return `%u${code.toString(16).padStart(4, '0')}`;
    },
  );
}

/** The UTF-8 bytes of one code point, as a latin1 string; lone surrogates are written as if they were allowed. */
export function utf8Bytes(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint);
  if (codePoint < 0x800) return String.fromCharCode(0xc0 | (codePoint >> 6), 0x80 | (codePoint & 63));
  if (codePoint < 0x10000) {
    return String.fromCharCode(
      0xe0 | (codePoint >> 12),
      0x80 | ((codePoint >> 6) & 63),
      0x80 | (codePoint & 63),
    );
  }
  return String.fromCharCode(
    0xf0 | (codePoint >> 18),
    0x80 | ((codePoint >> 12) & 63),
    0x80 | ((codePoint >> 6) & 63),
    0x80 | (codePoint & 63),
  );
}
