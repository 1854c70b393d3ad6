/**
 * Removes `.` segments, resolves `..` against the segment before it and folds repeated slashes. Climbing
 * above the start stays visible as leading `../`.
 * @see RFC 3986 §5.2.4
 */
export function normalizePath(text: string): string {
  if (!text.includes('/')) return text;
  const absolute = text.startsWith('/');
  const kept: string[] = [];
  const segments = text.split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (!absolute) kept.push('..');
  }
  const last = segments[segments.length - 1];
  const trailing = (last === '' || last === '.' || last === '..') && kept.length > 0 ? '/' : '';
  return (absolute ? '/' : '') + kept.join('/') + trailing;
}

/** As {@link normalizePath}, with backslashes read as slashes first. */
export function normalizePathWin(text: string): string {
  return normalizePath(text.replaceAll('\\', '/'));
}
