/**
 * Undoes what shells ignore: deletes `\`, `"`, `'` and `^`, deletes spaces before `/` and `(`, turns `,` and
 * `;` into spaces, folds white space, and lowers case.
 * @see ModSecurity reference manual, cmdLine
 */
export function cmdLine(text: string): string {
  return text
    .replace(/[\\"'^]/g, '')
    .replace(/[\s,;]+/g, ' ')
    .replace(/ ([/(])/g, '$1')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
