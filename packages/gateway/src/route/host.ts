const hostPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * The name in a Host header: lower case, without port and without the root's dot.
 * @returns undefined where the header is no valid host: RFC 9110 §7.2
 */
export function hostName(header: string): string | undefined {
  const lower = header.toLowerCase();
  if (lower.length > 260 || !hostPattern.test(lower)) return undefined;
  const end = lower.startsWith('[') ? lower.indexOf(']') + 1 : lower.indexOf(':');
  const name = end === -1 ? lower : lower.slice(0, end);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
