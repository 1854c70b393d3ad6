import { urlDecode } from '../../decode/index.ts';
import type { NamedValue } from './parsed-body.ts';

/**
 * Splits a query string or a form body at `&`, and each piece at its first `=`. Both halves are decoded once;
 * escapes that are none stay as they are.
 */
export function parseUrlEncoded(text: string): NamedValue[] {
  const pairs: NamedValue[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    if (equals < 0) pairs.push([urlDecode(piece), '']);
    else pairs.push([urlDecode(piece.slice(0, equals)), urlDecode(piece.slice(equals + 1))]);
  }
  return pairs;
}

/** Splits a Cookie header at `;`. Cookies carry no encoding of their own, so none is taken off. */
export function parseCookies(header: string): NamedValue[] {
  const cookies: NamedValue[] = [];
  for (const piece of header.split(';')) {
    const text = piece.replace(/^\s+/, '');
    if (text === '') continue;
    const equals = text.indexOf('=');
    if (equals < 0) cookies.push([text, '']);
    else cookies.push([text.slice(0, equals), text.slice(equals + 1)]);
  }
  return cookies;
}
