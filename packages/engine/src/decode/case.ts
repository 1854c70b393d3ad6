/** Lowers A to Z only: the text is bytes, and a byte above 0x7f is no letter. */
export function lowercase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/** Raises a to z only. */
export function uppercase(text: string): string {
  return /[a-z]/.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text;
}
