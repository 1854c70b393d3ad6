import type { SqlToken } from './tokens.ts';

/**
 * Reduces tokens to what matters for the structure: comments between tokens, opening signs and brackets,
 * adjacent strings, arithmetic between values and lists of values each become one token, so that
 * `1+(2*3),4` is a value like any other.
 */
export function foldTokens(tokens: readonly SqlToken[]): SqlToken[] {
  let folded = settle(withoutInnerComments(tokens));
  // Each pass only shortens; what is left after a few is settled.
  for (let pass = 0; pass < 8; pass += 1) {
    const next = foldOnce(folded);
    if (next.length === folded.length) return next;
    folded = next;
  }
  return folded;
}

/** A comment parts tokens like a space does; only one at the very end cuts something off. */
function withoutInnerComments(tokens: readonly SqlToken[]): SqlToken[] {
  return tokens.filter(({ letter }, index) => letter !== 'c' || index === tokens.length - 1);
}

/** Words that mean one thing before a bracket and another elsewhere. */
function settle(tokens: readonly SqlToken[]): SqlToken[] {
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    // `left` and `user` are names unless they are called.
    if (token.letter === 'f' && next?.letter !== '(') return [{ ...token, letter: 'n' }];
    if (token.letter === 'T' && next?.letter === '(') return [{ ...token, letter: 'n' }];
    if (/^(?:order|group)$/i.test(token.text) && /^by$/i.test(next?.text ?? '')) {
      return [{ ...token, letter: 'B' }];
    }
    const before = tokens[index - 1];
    if (/^by$/i.test(token.text) && /^(?:order|group)$/i.test(before?.text ?? '')) return [];
    if (/^(?:all|distinct|top)$/i.test(token.text) && /^[UE]$/.test(before?.letter ?? '')) return [];
    if (/^not$/i.test(token.text)) return [];
    return [token];
  });
}

const isValue = (letter: string | undefined) => letter !== undefined && /^[1nvs]$/.test(letter);
const isSign = (token: SqlToken | undefined) => token?.letter === 'o' && /^[-+!~]$/.test(token.text);

function foldOnce(tokens: readonly SqlToken[]): SqlToken[] {
  const folded: SqlToken[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) continue;
    const before = folded.at(-1);
    const next = tokens[index + 1];
    if (isSign(token) && startsOperand(before) && (isValue(next?.letter) || next?.letter === '(')) continue;
    if (token.letter === '(' && (before === undefined || before.letter === '(')) continue;
    if (token.letter === ')' && before?.letter === ')') continue;
    if (token.letter === 's' && before?.letter === 's' && folded.length > 1) continue;
    if (token.letter === 'o' && before?.letter === 'o') continue;
    // `value operator value` and `value , value` are one value; strings keep their place at either end.
    if (foldsIntoValue(before, token, next)) {
      index += 1;
      continue;
    }
    folded.push(token);
  }
  return folded;
}

function startsOperand(before: SqlToken | undefined): boolean {
  return before === undefined || /^[&o(,EUBk]$/.test(before.letter);
}

function foldsIntoValue(before: SqlToken | undefined, token: SqlToken, next: SqlToken | undefined): boolean {
  if (!before || !next || !/^[o,.]$/.test(token.letter)) return false;
  if (!/^[1nv]$/.test(before.letter) || !isValue(next.letter)) return false;
  return next.letter !== 's' || next.closed === true;
}
