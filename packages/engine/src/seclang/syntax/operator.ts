/** A rule's operator as written: `!@within %{tx.allowed_methods}`. */
export interface OperatorSyntax {
  /** lower case, without `@`; `rx` where the text names none */
  readonly name: string;
  readonly argument: string;
  readonly negated: boolean;
}

/** Reads the second word of a SecRule. Text without `@` is a pattern. */
export function parseOperator(text: string): OperatorSyntax {
  const trimmed = text.trimStart();
  const named = /^(!?)\s*@(\w+)(?:\s+|$)/.exec(trimmed);
  if (named) {
    const argument = trimmed.slice(named[0].length);
    const name = (named[2] ?? '').toLowerCase();
    // The tail of a pattern may be a meaningful space; elsewhere it is padding.
    return { name, negated: named[1] === '!', argument: name === 'rx' ? argument : argument.trim() };
  }
  const negated = trimmed.startsWith('!');
  return { name: 'rx', negated, argument: negated ? trimmed.slice(1) : trimmed };
}
