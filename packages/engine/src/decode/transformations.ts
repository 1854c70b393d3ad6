import { base64Decode, base64DecodeExt, base64Encode } from './base64.ts';
import { lowercase, uppercase } from './case.ts';
import { cmdLine } from './cmd-line.ts';
import { removeComments, removeCommentsChar, replaceComments } from './comments.ts';
import { cssDecode } from './css-decode.ts';
import { escapeSeqDecode } from './escape-seq-decode.ts';
import { hexDecode, hexEncode, sqlHexDecode } from './hex.ts';
import { htmlEntityDecode } from './html-entity-decode.ts';
import { jsDecode } from './js-decode.ts';
import { md5 } from './md5.ts';
import { removeNulls, replaceNulls } from './nulls.ts';
import { normalizePath, normalizePathWin } from './path.ts';
import { sha1 } from './sha1.ts';
import { urlDecode } from './url-decode.ts';
import { urlDecodeUni } from './url-decode-uni.ts';
import { urlEncode } from './url-encode.ts';
import { utf7Decode } from './utf7.ts';
import { fullWidth, overlongUtf8, utf8ToUnicode } from './utf8.ts';
import { utf16Decode } from './utf16.ts';
import { compressWhitespace, removeWhitespace, trim, trimLeft, trimRight } from './whitespace.ts';

/** Total and pure: any bytes in, bytes out (latin1), never a throw, linear in its input. */
export type Transformation = (text: string) => string;

/**
 * Every transformation by name: ModSecurity's own names (without `t:`), and ours for what it lacks
 * (`utf7Decode`, `utf16Decode`, `overlongUtf8`, `fullWidth`).
 */
export const transformations = {
  base64Decode,
  base64DecodeExt,
  base64Encode,
  cmdLine,
  compressWhitespace,
  cssDecode,
  escapeSeqDecode,
  fullWidth,
  hexDecode,
  hexEncode,
  htmlEntityDecode,
  jsDecode,
  length: (text) => String(text.length),
  lowercase,
  md5,
  none: (text) => text,
  normalisePath: normalizePath,
  normalisePathWin: normalizePathWin,
  normalizePath,
  normalizePathWin,
  overlongUtf8,
  removeComments,
  removeCommentsChar,
  removeNulls,
  removeWhitespace,
  replaceComments,
  replaceNulls,
  sha1,
  sqlHexDecode,
  trim,
  trimLeft,
  trimRight,
  uppercase,
  urlDecode,
  urlDecodeUni,
  urlEncode,
  utf16Decode,
  utf7Decode,
  utf8toUnicode: utf8ToUnicode,
} as const satisfies Readonly<Record<string, Transformation>>;

/** A name in {@link transformations}. */
export type TransformationName = keyof typeof transformations;

/** The transformation of that name, or undefined; spelling is matched without regard to case, as SecLang does. */
export function findTransformation(name: string): Transformation | undefined {
  return byLowerName.get(name.toLowerCase());
}

const byLowerName = new Map<string, Transformation>(
  Object.entries(transformations).map(([name, apply]) => [name.toLowerCase(), apply]),
);
