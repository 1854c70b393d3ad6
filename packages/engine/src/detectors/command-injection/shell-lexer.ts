import { elementOfText } from '../prose.ts';
import { plainCommands, wordCommands } from './commands.ts';

/** A place in a text at which a shell would look for a command. */
export interface CommandPosition {
  /** what stands before: start of the text, a separator, a substitution */
  readonly after: 'start' | ';' | '|' | '&' | 'newline' | 'substitution' | 'backtick';
  /** offset of the separator, or of the word at the start */
  readonly start: number;
  /** offset after the word */
  readonly end: number;
  /** the word as the shell would run it: quotes, escapes and empty expansions undone, lower case, path dropped */
  readonly command: string;
  /** whether it is written in capitals */
  readonly shouted: boolean;
  /** whether anything was undone that ordinary text does not hold */
  readonly disguised: boolean;
  /** whether the command was given with its directory (`/bin/cat`) */
  readonly located: boolean;
}

const maxPositions = 64;
const maxWord = 120;

/** Every command position of a text behind a separator. Linear; the first 64 that hold a word. */
export function commandPositions(text: string): readonly CommandPosition[] {
  const positions: CommandPosition[] = [];
  separators.lastIndex = 0;
  let backticks = 0;
  let last = 0;
  while (positions.length < maxPositions && separators.test(text)) {
    const end = separators.lastIndex;
    const before = last;
    last = end;
    const isBacktick = text.charCodeAt(end - 1) === backtick;
    // Nearly all are followed by a word that is no command: those are not even read.
    if (!isBacktick && isOrdinary(text, end)) continue;
    // Every other backtick closes what the one before it opened.
    if (isBacktick && text[end - 2] !== '\\' && (backticks++ & 1) === 1) continue;
    if (isBacktick && isOrdinary(text, end)) continue;
    separators.lastIndex = Math.max(before, end - longestSeparator);
    const found = separators.exec(text);
    if (!found) break;
    if (found[0] === ';' && endsReference(text, found.index)) continue;
    if (found[0] === '>(' && endsElement(text, found.index)) continue;
    addPosition(text, found.index, end, kindOf(found[0]), positions);
  }
  return positions;
}

const separators = /\$\(|<\(|>\(|`|\|{1,2}&?|&{1,2}|;{1,2}|\r?\n/g;
const longestSeparator = 3;
const [dollar, opening, closing, stroke, less, equals, greater, backtick] = [36, 40, 41, 47, 60, 61, 62, 96];

/** The semicolon of `&lt;`, `&#39;` and the like separates nothing. */
function endsReference(text: string, semicolon: number): boolean {
  return /&(?:[a-z]{2,8}|#\d{1,5}|#x[0-9a-f]{1,4})$/i.test(text.slice(Math.max(0, semicolon - 9), semicolon));
}

const lastElement = new RegExp(`${elementOfText.source}$`, 'i');

/** `<strong>(head)</strong>`: words in parentheses at the beginning of an element, and no substitution. */
function endsElement(text: string, greater: number): boolean {
  return lastElement.test(text.slice(Math.max(0, greater - 240), greater + 1));
}

/** The command that the text starts with, if it starts with a word at all. */
export function firstCommand(text: string): CommandPosition | undefined {
  if (isOrdinary(text, 0)) return undefined;
  const positions: CommandPosition[] = [];
  addPosition(text, 0, 0, 'start', positions);
  return positions[0];
}

function kindOf(separator: string): CommandPosition['after'] {
  const first = separator.charAt(0);
  if (first === '$' || first === '<' || first === '>') return 'substitution';
  if (first === '`') return 'backtick';
  if (first === '\r' || first === '\n') return 'newline';
  return first === ';' ? ';' : first === '|' ? '|' : '&';
}

/** What a byte is to a word: 1 part of an ordinary one, 2 what may stand before it, 3 what makes it a longer or disguised one. */
const roles = Uint8Array.from({ length: 256 }, (_unused, code) => {
  const char = String.fromCharCode(code);
  if (/\w/.test(char)) return 1;
  if (/[\s\xa0({!@]/.test(char)) return 2;
  return /['"\\^$`./:-]/.test(char) ? 3 : 0;
});

/** Commands that do nothing but run the one behind them. */
const runners = new Set([
  'sudo',
  'doas',
  'env',
  'exec',
  'eval',
  'command',
  'builtin',
  'nohup',
  'setsid',
  'timeout',
  'nice',
  'time',
  'xargs',
  'busybox',
]);
/** Words of the shell's own grammar that a command stands behind. POSIX Shell Command Language §2.4 */
const openers = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', 'coproc']);
/** lower five bits of the first byte, alike in both cases → a bit for each length of a command that starts so */
const lengths = new Uint32Array(32);
for (const command of [...plainCommands, ...wordCommands, ...runners, ...openers]) {
  const initial = command.charCodeAt(0) & 31;
  lengths[initial] = (lengths[initial] ?? 0) | (1 << Math.min(command.length, 31));
}

const maxGap = 16;

/**
 * Whether the word at a place is nothing but itself, with no quote, escape or expansion, and no command: most are
 * that, and need not be read as a shell does.
 */
function isOrdinary(text: string, from: number): boolean {
  const { length } = text;
  let start = from;
  while (start < from + maxGap && start < length && roles[text.charCodeAt(start) & 255] === 2) start += 1;
  const limit = Math.min(length, start + maxWord);
  if (isHollow(text, start, limit)) return true;
  const isSpelled = isLetter(text.charCodeAt(start));
  let end = start;
  let name = start;
  let isName = true;
  for (; end < limit; end += 1) {
    const code = text.charCodeAt(end) & 255;
    if (plainBytes[code] === 0) break;
    const role = roles[code];
    if (role === 1) continue;
    // `word*` and `word?` are taken for the word.
    if (isName && isSpelled && role !== 3) return !mayRun(text, start, end);
    isName = false;
    if (code === stroke) name = end + 1;
  }
  if (end < length) {
    const code = text.charCodeAt(end) & 255;
    // A redirection may stand before its command.
    if ((code === less || code === greater) && end - start < 2) return !redirectsFirst(text, start);
    // Quotes and expansions go on with the word, and so does what is too long to be read.
    if (endBytes[code] === 0 || code === backtick) return false;
    if (code === equals && isName && end > start) {
      assigned.lastIndex = end;
      if (assigned.test(text)) return false;
    }
  }
  return !mayRun(text, name, end);
}

/** Whether a word ends before anything is in it but quotes and escapes; a redirection may stand before one. */
function isHollow(text: string, start: number, limit: number): boolean {
  let at = start;
  while (at < limit && hollowBytes[text.charCodeAt(at) & 255] === 1) at += 1;
  if (at === limit) return true;
  const code = text.charCodeAt(at) & 255;
  return endBytes[code] === 1 && (at > start || (code !== less && code !== greater));
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** Whether a piece of a text names a command. */
function mayRun(text: string, start: number, end: number): boolean {
  const ofInitial = lengths[text.charCodeAt(start) & 31] as number;
  if ((ofInitial & (1 << Math.min(end - start, 31))) === 0) return false;
  const command = foldedName(text.slice(start, end));
  return (
    plainCommands.has(command) || wordCommands.has(command) || runners.has(command) || openers.has(command)
  );
}

/** `2>&1 id`, `>/dev/null id`: redirections, and what stands behind them */
const redirections = /(?:\d?(?:>{1,2}|<)&?\s?[\w/.-]{1,40}\s{1,4}){1,3}(?=[\w/\\'"$])/y;

function redirectsFirst(text: string, start: number): boolean {
  redirections.lastIndex = start;
  return redirections.test(text);
}

function addPosition(
  text: string,
  start: number,
  from: number,
  after: CommandPosition['after'],
  into: CommandPosition[],
): void {
  let at = from;
  while (at < text.length && roles[text.charCodeAt(at) & 255] === 2 && at < from + maxGap) at += 1;
  if (after !== 'start' && redirectsFirst(text, at)) at = redirections.lastIndex;
  // A substitution right here is a place of its own.
  if (text.charCodeAt(at) === 36 && text.charCodeAt(at + 1) === 40) return;
  const word = after === 'start' ? readWord(text, at) : behindRunners(text, readWord(text, at));
  if (word.plain === '') return;
  const slash = Math.max(word.plain.lastIndexOf('/'), word.plain.lastIndexOf('\\'));
  // `root:x:0:0:root:/root:/bin/bash`: a line of a table, and no path of a program
  if (slash > 2 && word.plain.slice(2, slash).includes(':')) return;
  const name = word.plain.slice(slash + 1);
  const command = foldedName(name);
  into.push({
    after,
    start: after === 'start' ? at : start,
    end: word.end,
    command,
    shouted: command !== name,
    disguised: word.disguised,
    located: slash >= 0 && /^(?:\/(?:usr\/(?:local\/)?)?s?bin\/|[a-z]:\\windows\\)/i.test(word.plain),
  });
}

/** Their options, and what they set for it: `timeout -k 9 5`, `env A=1`, `sudo -u root`. */
const ofRunner =
  /\s{1,4}(?:(?:-{1,2}[\w-]{1,20}(?:[ =](?:\d|root\b)\w{0,20})?|\w{1,20}=[^\s;|&]{0,40}|\d{1,6}[smhd]?)\s{1,4}){0,4}(?=[\w/\\'"$.])/y;
const ofOpener = /\s{1,4}(?:!\s{1,2})?(?=[\w/\\'"$.])/y;
const assigned = /=[^\s;|&()<>]{0,60}\s{1,4}(?=[\w/\\'"$.])/y;
const maxRunners = 3;

/** The command that `sudo`, `env A=1` or `A=1` runs; the word itself where no command follows. */
function behindRunners(text: string, first: Word): Word {
  let word = first;
  for (let count = 0; count < maxRunners; count += 1) {
    const isRunner = runners.has(word.plain.slice(word.plain.lastIndexOf('/') + 1));
    const gap = isRunner
      ? ofRunner
      : openers.has(word.plain)
        ? ofOpener
        : text[word.end] === '=' && /^\w+$/.test(word.plain)
          ? assigned
          : undefined;
    if (!gap) return word;
    gap.lastIndex = word.end;
    if (!gap.test(text)) return word;
    const next = readWord(text, gap.lastIndex);
    const name = foldedName(next.plain.slice(next.plain.lastIndexOf('/') + 1));
    if (!plainCommands.has(name) && !wordCommands.has(name) && !runners.has(name) && !openers.has(name))
      return word;
    word = next;
  }
  return word;
}

/** Commands are typed in one case or shouted; `Rm` and `Id` are something else. */
function foldedName(name: string): string {
  const initial = name.charCodeAt(0);
  if (initial >= 97 && initial <= 122) return name;
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}

interface Word {
  readonly plain: string;
  readonly end: number;
  readonly disguised: boolean;
}

/** Bytes that stand for themselves in a word. */
const plainBytes = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /[\s\xa0;|&()<>`,}="'\\^$]/.test(String.fromCharCode(code)) ? 0 : 1,
);

/** Bytes that are gone from a word once a shell has read it. */
const hollowBytes = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /['"\\^]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Bytes that end a word. */
const endBytes = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /[\s\xa0;|&()<>`,}=]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * What an expansion is, and the word that stands in it for a variable that is not set: `${x:-id}`. A name that quotes follow
 * (`$x"id"`) is one that ends there.
 */
const expansionPattern =
  /^\$(?:[@*!#?$-]|IFS(?:\$\d)?|\{IFS[^}]{0,20}\}|\{\w{1,20}:?[-=]([\w/.-]{1,30})\}|\{[^}]{0,40}\}|\d|[a-z_]\w{0,15}(?=["']\w))/i;

/** How long a substitution is that stands in the midst of a word and holds nothing, or three letters; 0 where none is. */
function hollowAt(text: string, at: number, code: number): number {
  const isExpansion = code === dollar && text.charCodeAt(at + 1) === opening;
  if (code !== backtick && !isExpansion) return 0;
  const from = at + (isExpansion ? 2 : 1);
  let end = from;
  while (end < from + 3 && roles[text.charCodeAt(end) & 255] === 1) end += 1;
  return text.charCodeAt(end) === (isExpansion ? closing : backtick) ? end + 1 - at : 0;
}

/** Where a word goes on that a backslash and a line break interrupt; 0 where none does. */
function continuedAt(text: string, backslash: number): number {
  if (!/^\r?\n[\w/'"]/.test(text.slice(backslash + 1, backslash + 4))) return 0;
  return text.indexOf('\n', backslash) + 1;
}

/** Reads one word as a POSIX shell (and, for `^`, cmd.exe) does. */
function readWord(text: string, start: number): Word {
  let plain = '';
  let disguised = false;
  let at = start;
  const limit = Math.min(text.length, start + maxWord);
  while (at < limit) {
    const from = at;
    while (at < limit && plainBytes[text.charCodeAt(at) & 255] === 1) at += 1;
    if (at > from) plain += text.slice(from, at);
    if (at >= limit) break;
    const code = text.charCodeAt(at) & 255;
    const hollow = plain === '' ? 0 : hollowAt(text, at, code);
    if (hollow > 0) {
      disguised = true;
      at += hollow;
      continue;
    }
    if (endBytes[code] === 1) break;
    const char = text.charAt(at);
    const continued = char === '\\' && plain !== '' ? continuedAt(text, at) : 0;
    if (continued > 0) {
      disguised = true;
      at = continued;
      continue;
    }
    if (char === '"' || char === "'") {
      // Quotes around nothing, or inside a word, have no use but to break it up.
      if (
        /\w/.test(text.charAt(at + 1))
          ? plain !== ''
          : text[at + 1] === char && /\w/.test(text.charAt(at + 2))
      )
        disguised = true;
      at += 1;
      continue;
    }
    if (char === '$' && /["']/.test(text.charAt(at + 1)) && /[\w\\/]/.test(text.charAt(at + 2))) {
      // $'…' and $"…" are quotes too
      disguised = true;
      at += 2;
      continue;
    }
    if (char !== '$') {
      if (/[a-z]/i.test(text.charAt(at + 1)) && plain !== '') disguised = true;
      if (char === '\\' && /^[a-z]:$|\\$|\.exe$/i.test(plain)) plain += char;
      at += 1;
      continue;
    }
    const [expansion, stated] = expansionPattern.exec(text.slice(at, at + 64)) ?? [];
    if (expansion === undefined || /IFS/.test(expansion)) break;
    disguised = true;
    if (stated !== undefined) plain += stated;
    at += expansion.length;
  }
  return { plain, end: at, disguised };
}
