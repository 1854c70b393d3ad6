const named: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\xa0',
  tab: '\t',
  newline: '\n',
  colon: ':',
  semi: ';',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  comma: ',',
  period: '.',
  equals: '=',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  plus: '+',
  ast: '*',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  grave: '`',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  quest: '?',
  commat: '@',
  verbar: '|',
  vert: '|',
  hat: '^',
  tilde: '~',
};

/** The named references that are decoded, lower case. */
export const entityNames: readonly string[] = Object.keys(named);

/** Names that are decoded without their semicolon too, as long as no letter follows. */
export const bareEntity = /^(?:quot|amp|lt|gt|nbsp)$/;

/**
 * Decodes HTML character references once: decimal and hexadecimal with or without `;` and with leading
 * zeros, and the named ones that stand for ASCII, which are all that an attack needs. A code point above
 * U+00FF keeps its low byte, so that the result stays one char one byte.
 * @returns the same string when it holds no reference
 * @see WHATWG HTML §13.2.5.72
 */
export function htmlEntityDecode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(?:[xX]([0-9a-fA-F]{1,32})|([0-9]{1,32}));?|([A-Za-z]{2,8});?)/g,
    (whole: string, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return reference(Number.parseInt(hex, 16), whole);
      if (decimal !== undefined) return reference(Number.parseInt(decimal, 10), whole);
      const exact = name?.toLowerCase() ?? '';
      const char = Object.hasOwn(named, exact) ? named[exact] : undefined;
      if (char === undefined) return whole;
      // `&lt` and the other oldest four are decoded without a semicolon too; `&comma` is not.
      return whole.endsWith(';') || bareEntity.test(exact) ? char : whole;
    },
  );
}

function reference(codePoint: number, whole: string): string {
  if (!Number.isSafeInteger(codePoint) || codePoint > 0x10ffff) return whole;
  if (codePoint >= 0xff01 && codePoint <= 0xff5e) return String.fromCharCode(codePoint - 0xfee0);
  return String.fromCharCode(codePoint & 0xff);
}
