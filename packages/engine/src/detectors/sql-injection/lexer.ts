import { isDangerousPackage, sqlRole } from './words.ts';

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

const wordPattern = /[a-z_$\x80-\x9f\xa1-\xff][\w$\x80-\x9f\xa1-\xff]*/iy;
const numberPattern = /0x[0-9a-f]+|0b[01]+(?![\w])|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/iy;
const serverVariable =
  /@@(?:(?:global|session|local)\.)?(?:version\w{0,20}|datadir|hostname|basedir|servername|tmpdir|language|user|port|secure_file_priv|innodb_\w{1,30}|plugin_dir|max_\w{1,30}|identity|spid|rowcount|error|log_\w{1,20}|have_\w{1,20}|sql_mode|socket|autocommit|character_set\w{0,20}|options|textsize|dbts|microsoftversion|nestlevel|trancount|lock_timeout|general_log\w{0,10}|slow_query\w{0,10})\b/iy;
const variablePattern = /@{1,2}[\w$.`]*/y;

function readToken(lexer: Lexer): void {
  const { text, at } = lexer;
  const code = text.charCodeAt(at);
  if (code <= 32 || code === 160) {
    lexer.at += 1;
    return;
  }
  const char = text.charAt(at);
  if (char === "'" || char === '"' || char === '`') {
    readString(lexer, char, at + 1);
    return;
  }
  if (readComment(lexer, char)) return;
  if (char === '\\' && text[at + 1] === 'N') {
    push(lexer, 'N', at, at + 2); // MySQL's NULL, which needs no space after it
    return;
  }
  if (readWith(lexer, numberPattern, 'n')) return;
  if (readWith(lexer, serverVariable, '@') || readWith(lexer, variablePattern, 'v')) return;
  wordPattern.lastIndex = at;
  if (wordPattern.test(text)) {
    readWord(lexer, wordPattern.lastIndex);
    return;
  }
  readSymbol(lexer, char);
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
  push(lexer, quote === '`' ? 'w' : 's', Math.max(0, from - 1), end < 0 ? text.length : end + 1);
}

function readComment(lexer: Lexer, char: string): boolean {
  const { text, at } = lexer;
  const next = text[at + 1];
  if (char === '/' && next === '*') {
    const conditional = /^\/\*M?!\d{0,6}/.exec(text.slice(at, at + 12));
    if (conditional) {
      lexer.conditional = true;
      push(lexer, 'c', at, at + conditional[0].length);
      return true;
    }
    const close = text.indexOf('*/', at + 2);
    push(lexer, close < 0 ? 'K' : 'c', at, close < 0 ? text.length : close + 2);
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

function readWord(lexer: Lexer, end: number): void {
  const { text, at } = lexer;
  const word = text.slice(at, end).toLowerCase();
  // N'…', X'…', _utf8'…': a string with a prefix
  if (text[end] === "'" && /^(?:n|x|b|e|q|_\w{2,10})$/.test(word)) {
    readString(lexer, "'", end + 1);
    return;
  }
  if (text[end] === '.' && isDangerousPackage(word)) {
    push(lexer, 'y', at, end);
    return;
  }
  let follow = end;
  while (follow < text.length && follow < end + 8 && text.charCodeAt(follow) <= 32) follow += 1;
  const called =
    text[follow] === '(' || (text[end] === '/' && /^\/\*.{0,20}\*\/\(/s.test(text.slice(end, end + 30)));
  const role = sqlRole(word, called);
  // `table` and `user` are keywords after DROP or UNION, names elsewhere.
  push(lexer, role === 'T' && !/[DGBIU;q]w?$|^$/.test(lexer.shape.slice(-2)) ? 'w' : role, at, end);
}

function readSymbol(lexer: Lexer, char: string): void {
  const { text, at } = lexer;
  const pair = text.slice(at, at + 2);
  if (text.startsWith('<=>', at)) push(lexer, 'o', at, at + 3);
  else if (pair === '||') push(lexer, 'p', at, at + 2);
  else if (pair === '&&') push(lexer, 'l', at, at + 2);
  else if (/^(?:<>|!=|<=|>=|:=|==|!<|!>)$/.test(pair)) push(lexer, 'o', at, at + 2);
  else if (/[=<>]/.test(char)) push(lexer, 'o', at, at + 1);
  else if (/[-+/%|&^~!]/.test(char)) push(lexer, 'a', at, at + 1);
  else push(lexer, /[(),;*.]/.test(char) ? char : '?', at, at + 1);
}
