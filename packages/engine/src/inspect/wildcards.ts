/**
 * Whether a text meets a pattern part by part: a part of the pattern that is `*` stands for one that is not empty, any
 * other for itself. Takes time linear in both.
 * @param separator between parts: `/` of paths, `.` of names
 * @param open whether a last part that ends in `*` stands for all that follows too
 */
export function meets(pattern: string, text: string, separator: string, open: boolean): boolean {
  const isOpen = open && pattern.endsWith('*');
  const end = isOpen ? pattern.length - 1 : pattern.length;
  let at = 0;
  for (let start = 0; start <= end; ) {
    const next = pattern.indexOf(separator, start);
    if (next < 0 || next >= end) {
      const last = pattern.slice(start, end);
      if (isOpen) return text.startsWith(last, at);
      return last === '*'
        ? isOnePart(text, at, separator)
        : text.length - at === last.length && text.endsWith(last);
    }
    const stop = text.indexOf(separator, at);
    if (stop < 0) return false;
    const isAny = next === start + 1 && pattern[start] === '*';
    if (isAny ? stop === at : stop - at !== next - start || !text.startsWith(pattern.slice(start, next), at))
      return false;
    at = stop + 1;
    start = next + 1;
  }
  return isOpen || at === text.length + 1;
}

const isOnePart = (text: string, at: number, separator: string): boolean =>
  at < text.length && !text.includes(separator, at);
