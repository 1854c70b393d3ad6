import { verbose } from '../../verbose.ts';
import { isDangerousPackage, mayHaveRole, sqlRole } from './words.ts';

/** A text read as SQL: one letter a token, and where each stands. */
export interface SqlTokens {
  /**
   * Letters of `words.ts`, and: `n` number, `s` string, `w` name, `v` variable (`@x`), `@` system variable,
   * `o` comparison, `a` arithmetic, `p` `||`, `l` `&&`, `c` a comment that hides a keyword or stands between two tokens,
   * `K` one that swallows the rest; `( ) , ; * .` stand for themselves, `?` for anything else.
   */
  readonly shape: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** What most statements fit into. */
const usualTokens = 256;

/** Which quote the text is taken to start inside of; empty when outside. */
export type SqlContext = '' | "'" | '"' | '`';

/** Reads a text as the continuation of a statement. Linear; stops after `maxTokens`. */
export function readSql(text: string, context: SqlContext, maxTokens = usualTokens): SqlTokens {
  const lexer: Lexer = { text, at: 0, shape: '', starts: [], ends: [], conditional: false };
  if (context !== '') readString(lexer, context, 0);
  while (lexer.at < text.length && lexer.starts.length < maxTokens) readToken(lexer);
  return lexer;
}

interface Lexer {
  readonly text: string;
  at: number;
  shape: string;
  readonly starts: number[];
  readonly ends: number[];
  /** inside `/*! … *\/`, which MySQL executes */
  conditional: boolean;
}

function push(lexer: Lexer, letter: string, start: number, end: number): void {
  lexer.shape += letter;
  lexer.starts.push(start);
  lexer.ends.push(end);
  lexer.at = end;
}

const numberPattern = /0x[0-9a-f]+|0b[01]+(?![\w])|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/iy;
const serverVariable = verbose('iy')`
  @@(?:(?:global|session|local)\.)?(?:
    version\w{0,20}|datadir|hostname|basedir|servername|tmpdir|language|user|port|secure_file_priv|innodb_\w{1,30}
    |plugin_dir|max_\w{1,30}|identity|spid|rowcount|error|log_\w{1,20}|have_\w{1,20}|sql_mode|socket|autocommit
    |character_set\w{0,20}|options|textsize|dbts|microsoftversion|nestlevel|trancount|lock_timeout
    |general_log\w{0,10}|slow_query\w{0,10}
  )\b
`;
const bracketedName = /\[[a-z_]\w{0,60}\]/iy;
const variablePattern = /@{1,2}[\w$.`]*/y;

/** What a byte can open: 1 white space, 2 a string, 3 a word, 4 a number, 5 a comment or a symbol. */
const openings = Uint8Array.from({ length: 256 }, (_unused, code) => {
  if (code <= 32 || code === 160) return 1;
  if (code >= 48 && code <= 57) return 4;
  const char = String.fromCharCode(code);
  if (char === "'" || char === '"' || char === '`') return 2;
  return code >= 128 || /[a-z_$]/i.test(char) ? 3 : 5;
});

function readToken(lexer: Lexer): void {
  const { text, at } = lexer;
  const code = text.charCodeAt(at) & 255;
  switch (openings[code]) {
    case 1:
      lexer.at += 1;
      return;
    case 2:
      readString(lexer, text.charAt(at), at + 1);
      return;
    case 3:
      readWord(lexer);
      return;
    case 4:
      readWith(lexer, numberPattern, 'n');
      return;
    default:
      readMark(lexer, code);
  }
}

function readMark(lexer: Lexer, code: number): void {
  const { text, at } = lexer;
  const char = text.charAt(at);
  if (readComment(lexer, char)) return;
  if (char === '\\' && text[at + 1] === 'N') {
    push(lexer, 'N', at, at + 2); // MySQL's NULL, which needs no space after it
    return;
  }
  if (char === '.' && readWith(lexer, numberPattern, 'n')) return;
  // [name], as SQL Server and SQLite quote it; behind a name it is an index
  if (char === '[' && !/[wvy)]$/.test(lexer.shape) && readWith(lexer, bracketedName, 'w')) return;
  if (char === '@' && (readWith(lexer, serverVariable, '@') || readWith(lexer, variablePattern, 'v'))) return;
  readSymbol(lexer, code);
}

function readWith(lexer: Lexer, pattern: RegExp, letter: string): boolean {
  pattern.lastIndex = lexer.at;
  if (!pattern.test(lexer.text)) return false;
  push(lexer, letter, lexer.at, pattern.lastIndex);
  return true;
}

function readString(lexer: Lexer, quote: string, from: number): void {
  const { text } = lexer;
  let end = from;
  for (;;) {
    end = text.indexOf(quote, end);
    if (end < 0) break;
    if (text[end - 1] === '\\' && end > from) end += 1;
    else if (text[end + 1] === quote && end > from) end += 2;
    else break;
  }
  push(lexer, quote === '`' && from > 0 ? 'w' : 's', Math.max(0, from - 1), end < 0 ? text.length : end + 1);
}

function readComment(lexer: Lexer, char: string): boolean {
  const { text, at } = lexer;
  const next = text[at + 1];
  if (char === '/' && next === '*') {
    const conditional = /^\/\*M?!\d{0,6}/.exec(text.slice(at, at + 12));
    if (conditional && !text.startsWith('*/', at + conditional[0].length)) {
      lexer.conditional = true;
      push(lexer, 'c', at, at + conditional[0].length);
      return true;
    }
    const close = closeOfComment(text, at);
    push(lexer, close < 0 ? 'K' : 'c', at, close < 0 ? text.length : close);
    return true;
  }
  if (lexer.conditional && char === '*' && next === '/') {
    lexer.conditional = false;
    lexer.at += 2;
    return true;
  }
  const lineComment = char === '#' || (char === '-' && next === '-');
  if (!lineComment) return false;
  const newline = text.indexOf('\n', at);
  const goesOn = newline >= 0 && /\S/.test(text.slice(newline, newline + 40));
  push(lexer, goesOn ? 'c' : 'K', at, newline < 0 ? text.length : newline + 1);
  return true;
}

/**
 * Where the comment that begins at a place ends; below 0 if nowhere. PostgreSQL nests them (manual §4.1.5): read so where
 * a few levels close, since what were left of one elsewhere, a `*` and a `/` between words, is no SQL.
 */
function closeOfComment(text: string, at: number): number {
  const first = text.indexOf('*/', at + 2);
  if (first < 0 || text.lastIndexOf('/*', first - 1) <= at + 1) return first < 0 ? first : first + 2;
  nesting.lastIndex = at;
  let depth = 0;
  for (let found = nesting.exec(text); found !== null && found.index < at + 200; found = nesting.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return nesting.lastIndex;
  }
  return first + 2;
}

const nesting = /\/\*|\*\//g;

function readWord(lexer: Lexer): void {
  const { text, at } = lexer;
  let marked = false;
  let end = at;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end) & 255;
    const opens = openings[code];
    if (opens !== 3 && opens !== 4) break;
    if (code === 95 || code === 36) marked = true;
  }
  const next = text.charCodeAt(end);
  // Most words of a text are neither keyword nor name of note, as their length and first letters tell.
  if (!marked && next !== 38 && next !== 39 && next !== 46 && !mayHaveRole(text, at, end)) {
    push(lexer, 'w', at, end);
    return;
  }
  const word = text.slice(at, end).toLowerCase();
  // N'…', X'…', _utf8'…': a string with a prefix
  if (next === 39 && /^(?:n|x|b|e|q|_\w{2,10})$/.test(word)) {
    readString(lexer, "'", end + 1);
    return;
  }
  // U&'…' and U&"…", a string and a name of PostgreSQL
  if (next === 38 && word === 'u' && /["']/.test(text.charAt(end + 1))) {
    readString(lexer, text.charAt(end + 1), end + 2);
    return;
  }
  if (next === 46 && isDangerousPackage(word)) {
    push(lexer, 'y', at, end);
    return;
  }
  let follow = end;
  while (follow < text.length && follow < end + 8 && text.charCodeAt(follow) <= 32) follow += 1;
  const called =
    text.charCodeAt(follow) === 40 || (next === 47 && /^\/\*.{0,20}\*\/\(/s.test(text.slice(end, end + 30)));
  const role = sqlRole(word, called);
  // `table` and `user` are keywords after DROP or UNION, names elsewhere.
  push(lexer, role === 'T' && !/[DGBIU;q]w?$|^$/.test(lexer.shape.slice(-2)) ? 'w' : role, at, end);
}

/** Two bytes as one number → the letter of an operator. */
const pairs = new Map(
  [
    ['||', 'p'] as const,
    ['&&', 'l'] as const,
    ...['<>', '!=', '<=', '>=', ':=', '==', '!<', '!>', '@>', '<@', '^@', '~~', '~*'].map(
      (pair) => [pair, 'o'] as const,
    ),
  ].map(([pair, letter]) => [pairOf(pair.charCodeAt(0), pair.charCodeAt(1)), letter] as const),
);

function pairOf(first: number, second: number): number {
  return (first << 8) | (second & 255);
}

/** byte → its letter; by default `?` */
const symbols: readonly string[] = Array.from({ length: 256 }, (_unused, code) => {
  const char = String.fromCharCode(code);
  if ('=<>'.includes(char)) return 'o';
  if ('-+/%|&^~!'.includes(char)) return 'a';
  return '(),;*.'.includes(char) ? char : '?';
});

function readSymbol(lexer: Lexer, code: number): void {
  const { text, at } = lexer;
  const symbol = symbols[code] ?? '?';
  // The first of a pair is an operator by itself, but for the colon.
  const mayPair = symbol === 'o' || symbol === 'a' || code === 58;
  const pair = mayPair ? pairs.get(pairOf(code, text.charCodeAt(at + 1))) : undefined;
  if (pair === undefined) push(lexer, symbol, at, at + 1);
  else push(lexer, pair, at, at + (text.startsWith('<=>', at) ? 3 : 2));
}
