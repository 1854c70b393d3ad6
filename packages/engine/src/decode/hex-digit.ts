/**
 * The value of a hexadecimal digit given as a char code.
 * @returns 0 to 15, or -1 when the code is no such digit (also for NaN past the end of a string)
 */
export function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const folded = code | 32;
  return folded >= 97 && folded <= 102 ? folded - 87 : -1;
}

/**
 * The byte that two hexadecimal digits at `at` spell.
 * @returns 0 to 255, or -1 when either is no digit
 */
export function hexByte(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at));
  if (high < 0) return -1;
  const low = hexDigit(text.charCodeAt(at + 1));
  return low < 0 ? -1 : high * 16 + low;
}
