/** Shorter texts are read sooner than copied. */
const worthCopying = 128;

/**
 * The same text, standing for itself. What is cut from a body points into it, and each look at one of its characters
 * finds out anew where that is: 2.1 against 1.2 ns, for every detector that reads it; the copy takes 60 to 100 ns.
 */
export function inOnePiece(text: string): string {
  return text.length < worthCopying ? text : copyOf(text);
}

/** A text that keeps nothing alive of the one it was cut from. */
export function copyOf(text: string): string {
  const half = text.length >> 1;
  return [text.slice(0, half), text.slice(half)].join('');
}
