/**
 * Turns each `/* … *\/` into one space; one that never ends swallows the rest, as a database reads it.
 * @see ModSecurity reference manual, replaceComments
 */
export function replaceComments(text: string): string {
  return withoutBlocks(text, '/*', '*/', ' ');
}

/** Deletes `/* … *\/` and `<!-- … -->`, and from `--` or `#` to the end. */
export function removeComments(text: string): string {
  const plain = withoutBlocks(withoutBlocks(text, '/*', '*/', ''), '<!--', '-->', '');
  const end = plain.search(/--|#/);
  return end < 0 ? plain : plain.slice(0, end);
}

/** Deletes the comment marks themselves (`/*`, `*\/`, `<!--`, `-->`, `--`, `#`) and keeps what they enclose. */
export function removeCommentsChar(text: string): string {
  return text.replace(/\/\*|\*\/|<!--|-->|--|#/g, '');
}

function withoutBlocks(text: string, opening: string, closing: string, substitute: string): string {
  let open = text.indexOf(opening);
  if (open < 0) return text;
  let kept = '';
  let copied = 0;
  while (open >= 0) {
    kept += text.slice(copied, open) + substitute;
    const close = text.indexOf(closing, open + opening.length);
    if (close < 0) return kept;
    copied = close + closing.length;
    open = text.indexOf(opening, copied);
  }
  return kept + text.slice(copied);
}
