/** As much of a text as could be base64, in one piece, so that a long one is looked at once. */
const runs = /[A-Za-z0-9+/_-]+={0,2}/g;

const literal = (text: string) => RegExp.escape(text);

/** A pattern for bytes where each may stand percent-encoded or as it is. @see RFC 3986 §2.1 */
function percentPattern(secret: string): string {
  const one = (byte: number) => {
    const hex = byte.toString(16).padStart(2, '0');
    const digits = [...hex].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
    const plain = byte < 0x80 ? `|${literal(String.fromCharCode(byte))}` : '';
    // A form writes a space as a plus.
    return `(?:%${digits}${plain}${byte === 0x20 ? '|\\+' : ''})`;
  };
  return [...Buffer.from(secret)].map(one).join('');
}

/**
 * Patterns for a secret within base64 of more, as the password is in AUTH PLAIN: three bytes make four digits, so it
 * begins at one of three places, and the digits at its ends are shared with what stands around it.
 * @see RFC 4616 §2, RFC 4648 §4 and §5
 */
function base64Patterns(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const own = bytes
      .toString('base64url')
      .slice(before === 0 ? 0 : before + 1, Math.floor((bytes.length * 4) / 3));
    // Fewer stand in any text.
    if (own.length < 3) return [];
    const digits = [...own].map((digit) => ({ '-': '[-+]', _: '[_/]' })[digit] ?? digit).join('');
    return [digits];
  });
}

/**
 * The text without secrets, however who quotes them writes them: as they are, in JSON, percent-encoded, or in base64
 * alone or with others. Empty ones are none.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => {
      const patterns = [
        literal(secret),
        literal(JSON.stringify(secret).slice(1, -1)),
        percentPattern(secret),
      ];
      const plain = masked.replaceAll(new RegExp(patterns.join('|'), 'g'), '•••');
      const within = base64Patterns(secret);
      if (within.length === 0) return plain;
      const encoded = new RegExp(within.join('|'));
      return plain.replaceAll(runs, (run) => (encoded.test(run) ? '•••' : run));
    }, text);
}
