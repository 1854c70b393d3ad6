/** Encodes every byte that is not a letter, a digit, `-`, `*`, `_` or `.`; a space becomes `+`. */
export function urlEncode(text: string): string {
  return text.replace(/[^A-Za-z0-9*_.-]/g, (char) =>
    char === ' ' ? '+' : `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
