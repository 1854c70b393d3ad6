const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: '\xa0' };

/**
 * `t:htmlEntityDecode` as rules are written for it: the five oldest names only, so that a pattern that spells
 * `&tab;` or `&newline;` itself still finds them.
 * @see ModSecurity Reference Manual, htmlEntityDecode
 */
export function htmlEntityDecode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#[xX]([0-9a-fA-F]{1,32});?|#([0-9]{1,32});?|(quot|amp|lt|gt|nbsp);?)/gi,
    (_whole: string, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? '';
      const code = Number.parseInt(hex ?? decimal ?? '0', hex === undefined ? 10 : 16);
      return String.fromCharCode(code & 0xff);
    },
  );
}
