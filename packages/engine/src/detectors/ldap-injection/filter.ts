/**
 * Whether a text is one LDAP filter from its first bracket to its last (RFC 4515 §3), as clients of directories send
 * it. What injects closes a bracket that it did not open, or leaves one open.
 */
export function isWholeFilter(text: string): boolean {
  const { length } = text;
  if (text.charCodeAt(0) !== 40 || text.charCodeAt(length - 1) !== 41) return false;
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 40) depth += 1;
    else if (code === 41) depth -= 1;
    if (depth === 0 && at < length - 1) return false;
  }
  return depth === 0 && element.test(text) && !credential.test(text);
}

/** At least one attribute is compared with a value of its own, not only with a wildcard. */
const element = /\(\s{0,3}[\w.;-]{1,40}\s{0,3}(?:[~<>]|:[\w.]{0,40}:)?=\s{0,3}\*?[^\s*()]/;

/** Clients bind with a password; only who guesses one searches for it. */
const credential = /\(\s{0,3}\w{0,20}pass(?:word|wd)?\s{0,3}[~<>]?=/i;
