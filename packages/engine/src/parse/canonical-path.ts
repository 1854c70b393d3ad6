import { normalizePathWin, percentDecode } from '../decode/index.ts';

/**
 * What of a decoded path another server may read in another way: climbs, which some resolve before and some after
 * what else they do; dots and slashes that are still encoded, are written in more bytes than they need or wide, and
 * characters that some strip.
 */
const readTwice =
  /[/\\]\.\.|[\0-\x1f\x7f]|%(?:2[eEfF5]|3[bB]|5[cC]|[uU])|[\xc0\xc1]|\xe0[\x80-\x9f]|\xf0[\x80-\x8f]|\xef\xbc[\x8e\x8f\x9b\xbc]/;

/**
 * Whether the path of a request-target may be another one to somebody: it proves nothing in a request's favour.
 * @param target origin form, with or without a query; latin1
 */
export function isAmbiguousPath(target: string): boolean {
  const question = target.indexOf('?');
  return readTwice.test(percentDecode(question < 0 ? target : target.slice(0, question)));
}

/** Anything by which two spellings of one path differ. */
const spelled = /[%;\\]|\/[./]/;

/**
 * The path that a request-target names, as an application may read it: percent-decoded once, without path parameters
 * (`;v=1`), backslashes as slashes, dot segments resolved, slashes folded. `/%6cogin`, `//login`, `/./login` and
 * `/login;x` are all `/login`.
 * @param target origin form, with or without a query; latin1
 * @see RFC 3986 §6.2.2, Servlet 6.0 §3.5.2
 */
export function canonicalPath(target: string): string {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  if (!spelled.test(path)) return path;
  return normalizePathWin(percentDecode(path).replace(/;[^/]*/g, ''));
}
