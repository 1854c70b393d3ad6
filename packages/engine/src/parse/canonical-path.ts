import { normalizePathWin, percentDecode } from '../decode/index.ts';

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
