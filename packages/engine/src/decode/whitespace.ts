/** Folds each run of white space (also `\xa0`, `\v`) to one space. */
export function compressWhitespace(text: string): string {
  return text.replace(/[\s\xa0]+/g, ' ');
}

/** Deletes all white space (also `\xa0`, `\v`). */
export function removeWhitespace(text: string): string {
  return text.replace(/[\s\xa0]+/g, '');
}

/** Without white space at the start. */
export function trimLeft(text: string): string {
  return text.replace(/^[\s\xa0]+/, '');
}

/** Without white space at the end. */
export function trimRight(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s\xa0]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Without white space at either end. */
export function trim(text: string): string {
  return trimLeft(trimRight(text));
}
