/**
 * The entry that a line of a list holds, as feeds of addresses are commonly written: what follows `#` or `;` is a
 * remark. @returns undefined where there is none; what is left is not yet known to be an address
 */
export function entryOfLine(line: string): string | undefined {
  const remark = line.search(/[#;]/);
  const entry = (remark === -1 ? line : line.slice(0, remark)).trim().toLowerCase();
  return entry === '' ? undefined : entry;
}

/** @returns the entries of a text with one a line */
export function entriesOfText(text: string): string[] {
  return text.split('\n').flatMap((line) => entryOfLine(line) ?? []);
}
