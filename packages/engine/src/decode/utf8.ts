import { verbose } from '../verbose.ts';

const overlong = verbose('g')`
  [\xc0\xc1][\x80-\xbf]
  |\xe0[\x80\x81][\x80-\xbf]
  |\xf0\x80[\x80\x81][\x80-\xbf]
  |\xf8\x80\x80[\x80\x81][\x80-\xbf]
  |\xfc\x80\x80\x80[\x80\x81][\x80-\xbf]
  |[\xc0\xc1][\x20-\x7f]
`;

/**
 * Rewrites overlong UTF-8 sequences to the ASCII character they smuggle: `C0 BC` is `<`, `E0 80 AF` is `/`.
 * Conforming decoders refuse them, old ones don't. Five and six byte forms, which no longer exist, included.
 * @returns the same string when there is none
 * @see RFC 3629 §10
 */
export function overlongUtf8(text: string): string {
  if (!/[\xc0\xc1\xe0\xf0\xf8\xfc]/.test(text)) return text;
  return text.replace(overlong, (sequence) => {
    const last = sequence.charCodeAt(sequence.length - 1);
    // A second byte below 0x80 is no continuation at all; decoders that only mask still read it (`C0 2E`).
    if (last < 0x80) return String.fromCharCode(((sequence.charCodeAt(0) & 1) << 6) | (last & 0x3f));
    return String.fromCharCode(((sequence.charCodeAt(sequence.length - 2) & 1) << 6) | (last & 0x3f));
  });
}

/** Spaces, quotes, dots, signs, letters and digits that are others in another dress, as UTF-8. */
const compatible = verbose('g')`
  \xef(?:\xb9[\x90-\xab]|\xbc[\x81-\xbf]|\xbd[\x80-\x9e])
  |\xe2(?:
      \x80[\x80-\x8a\xa4\xa5\xa8\xa9\xaf\xb2\xb3]
      |\x81[\x84\x9f]
      |\x84\xaa
      |\x88[\x95\x96]
      |\x92[\xb6-\xbf]
      |\x93[\x80-\xa9]
    )
  |\xf0\x9d[\x90-\x9f][\x80-\xbf]
  |\xc2\xa0
  |\xc5\xbf
  |\xca[\xb9\xba\xbc]
  |\xe1\x9a\x80
  |\xe3\x80\x80
`;

/** What Unicode does not call the same, and servers with a best-fit charset do. */
const bestFit: Readonly<Record<number, string>> = {
  8260: '/',
  8725: '/',
  8726: '\\',
  697: "'",
  698: '"',
  700: "'",
  8242: "'",
  8243: '"',
  5760: ' ',
  8232: '\n',
  8233: '\n',
};

/**
 * Folds characters to the ASCII that they stand for: full-width and small forms, letters and digits of mathematics and in
 * circles, spaces of other widths, primes and modifier letters as quotes, leader dots, the slashes of mathematics. Databases
 * and file systems with a best-fit charset do so, languages whose identifiers are normalised (Python), and whoever normalises
 * names; SQL Server and JavaScript take all those spaces for one.
 * @returns the same string when there is none
 * @see Unicode Standard Annex #15, NFKC
 */
export function fullWidth(text: string): string {
  if (!/[\xc2\xc5\xca\xe1-\xe3\xef\xf0]/.test(text)) return text;
  return text.replace(compatible, (sequence) => {
    const code = codePointOf(sequence);
    const folded = bestFit[code] ?? String.fromCodePoint(code).normalize('NFKC');
    return /^[\n\x20-\x7e]+$/.test(folded) ? folded : sequence;
  });
}

function codePointOf(sequence: string): number {
  let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
  for (let at = 1; at < sequence.length; at += 1) code = (code << 6) | (sequence.charCodeAt(at) & 0x3f);
  return code;
}

/**
 * Writes every well-formed multi-byte UTF-8 sequence as `%uXXXX`, so that patterns can name a code point.
 * @see ModSecurity reference manual, utf8toUnicode
 */
export function utf8ToUnicode(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  return text.replace(
    /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    (sequence) => `%u${codePointOf(sequence).toString(16).padStart(4, '0')}`,
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
