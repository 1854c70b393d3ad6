/** Deletes NUL bytes, which end a string in C and hide what follows from some filters. */
export function removeNulls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Turns NUL bytes into spaces. */
export function replaceNulls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', ' ') : text;
}
