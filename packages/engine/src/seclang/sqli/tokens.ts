import { letterOf } from './words.ts';

/** One token of a text that is read as the continuation of an SQL statement. */
export interface SqlToken {
  /**
   * Letters of `words.ts`, and `1` number, `s` string, `v` variable, `c` comment, `X` a comment that MySQL
   * executes, `?` what is no SQL; `( ) , ; .` stand for themselves.
   */
  readonly letter: string;
  readonly text: string;
  /** of a string: whether its closing quote is there */
  readonly closed?: boolean;
}

/** Which quote the text is taken to stand inside of at its start; empty outside of any. */
export type Quote = '' | "'" | '"';

const maxTokens = 64;

/** Cuts a text into tokens. Linear; stops after 64, long after a verdict is clear. */
export function readTokens(text: string, inside: Quote): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  if (inside !== '') at = readString(text, 0, inside, tokens);
  while (at < text.length && tokens.length < maxTokens) at = readToken(text, at, tokens);
  return tokens;
}

const lexemes = {
  space: /[\s\xa0\0]+/y,
  number: /0x[0-9a-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy,
  word: /[a-z_$\x80-\xff][\w$\x80-\xff]*(?:\.[a-z_]\w*)*/iy,
  variable: /@{1,2}(?:[\w$.]*|`[^`]*`)/y,
  operator: /<=>|\|\||&&|<>|!=|<=|>=|:=|==|!<|!>|<<|>>|::|[-+*/%=<>|&^~!]/y,
};

function lexeme(kind: keyof typeof lexemes, text: string, at: number): string | undefined {
  const pattern = lexemes[kind];
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function readToken(text: string, at: number, into: SqlToken[]): number {
  const blank = lexeme('space', text, at);
  if (blank !== undefined) return at + blank.length;
  const char = text.charAt(at);
  if (char === "'" || char === '"') return readString(text, at + 1, char, into);
  if (char === '`') return readName(text, at, '`', into);
  const comment = readComment(text, at, into);
  if (comment > at) return comment;
  const number = lexeme('number', text, at);
  if (number !== undefined) return add(into, '1', number, at);
  const variable = lexeme('variable', text, at);
  if (variable !== undefined) return add(into, 'v', variable, at);
  const word = lexeme('word', text, at);
  if (word !== undefined) return readWord(text, word, at, into);
  const operator = lexeme('operator', text, at);
  if (operator !== undefined) return add(into, /^(?:\|\||&&)$/.test(operator) ? '&' : 'o', operator, at);
  return add(into, /[(),;.]/.test(char) ? char : '?', char, at);
}

function add(into: SqlToken[], letter: string, text: string, at: number): number {
  into.push({ letter, text });
  return at + text.length;
}

function readWord(text: string, word: string, at: number, into: SqlToken[]): number {
  const after = text.charAt(at + word.length);
  // N'…', X'…', _utf8'…' are strings with a prefix.
  if ((after === "'" || after === '"') && /^(?:n|x|b|e|q|u&|_\w{2,10})$/i.test(word)) {
    return readString(text, at + word.length + 1, after, into);
  }
  return add(into, letterOf(word), word, at);
}

function readName(text: string, at: number, quote: string, into: SqlToken[]): number {
  const close = text.indexOf(quote, at + 1);
  return add(into, 'n', text.slice(at, close < 0 ? text.length : close + 1), at);
}

/** @param start just after the opening quote, or where the text begins inside of it */
function readString(text: string, start: number, quote: string, into: SqlToken[]): number {
  let at = start;
  for (; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) break;
      at += 1;
    }
  }
  into.push({ letter: 's', text: text.slice(start, at), closed: at < text.length });
  return Math.min(at + 1, text.length);
}

function readComment(text: string, at: number, into: SqlToken[]): number {
  if (text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2);
    const end = close < 0 ? text.length : close + 2;
    return add(into, /^\/\*M?!/.test(text.slice(at, at + 4)) ? 'X' : 'c', text.slice(at, end), at);
  }
  if (text[at] !== '#' && !text.startsWith('--', at)) return at;
  const line = text.indexOf('\n', at);
  return add(into, 'c', text.slice(at, line < 0 ? text.length : line), at);
}
