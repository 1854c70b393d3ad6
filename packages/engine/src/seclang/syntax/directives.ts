/** One directive as it stands in a file: its name and its words, quotes taken off. */
export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  readonly file: string;
  /** 1-based, of the line on which it begins */
  readonly line: number;
  /** it can't be what was meant */
  readonly problem?: string;
}

/** Something in a rule file that was not understood or not carried out, with the place to look at. */
export interface SeclangIssue {
  readonly file: string;
  readonly line: number;
  /** one sentence in plain words */
  readonly message: string;
  /** an `error` leaves the directive out; a `notice` says what of it has no meaning here */
  readonly level: 'error' | 'notice';
}

/**
 * Splits the text of one file into directives. A backslash at the end of a line continues it; a line that
 * begins with `#` is a comment, and so are empty lines. Never throws: an unclosed quote ends with the line, and the
 * directive says so.
 * @param text latin1, one char one byte, so that patterns hold the file's bytes
 */
export function readDirectives(file: string, text: string): Directive[] {
  const directives: Directive[] = [];
  // Editors on Windows begin a file with a byte order mark, here its UTF-8 bytes.
  const lines = text.replace(/^\xef\xbb\xbf/, '').split(/\r?\n/);
  let logical = '';
  let begun = 0;
  for (const [index, line] of lines.entries()) {
    if (logical === '') {
      if (/^\s*(?:#|$)/.test(line)) continue;
      begun = index + 1;
    }
    const continued = /\\\s*$/.exec(line);
    if (continued && index + 1 < lines.length) {
      logical += line.slice(0, continued.index);
      // A lone backslash still begins a directive, hence the space that keeps `logical` from being empty.
      if (logical === '') logical = ' ';
      continue;
    }
    const { words: all, unclosed } = splitWords(logical + line);
    const [name, ...words] = all;
    const problem = unclosed && { problem: `a ${unclosed} without its closing one` };
    if (name) directives.push({ name, words, file, line: begun, ...problem });
    logical = '';
  }
  return directives;
}

/**
 * Words of one line: separated by white space, or held together by double or single quotes, inside which a
 * backslash before the quote or before another backslash yields that character, as Apache reads its
 * configuration, for which rules are written; every other backslash stays.
 */
export function splitWords(line: string): { words: string[]; unclosed?: string } {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (at < line.length && isSpace(line.charCodeAt(at))) at += 1;
    if (at >= line.length) return { words };
    const quote = line[at];
    if (quote === '"' || quote === "'") {
      const [word, end] = readQuoted(line, at + 1, quote);
      words.push(word);
      if (end > line.length) return { words, unclosed: quote };
      at = end;
      continue;
    }
    const start = at;
    while (at < line.length && !isSpace(line.charCodeAt(at))) at += 1;
    words.push(line.slice(start, at));
  }
}

function readQuoted(line: string, start: number, quote: string): [word: string, end: number] {
  let word = '';
  let copied = start;
  let at = start;
  while (at < line.length && line[at] !== quote) {
    if (line[at] !== '\\') {
      at += 1;
      continue;
    }
    if (line[at + 1] === quote || line[at + 1] === '\\') {
      word += line.slice(copied, at);
      copied = at + 1;
    }
    at += 2;
  }
  return [word + line.slice(copied, Math.min(at, line.length)), at + 1];
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
