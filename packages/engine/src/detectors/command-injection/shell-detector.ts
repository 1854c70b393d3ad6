import type { Detector, Finding } from '../../rules/index.ts';
import {
  actingCommands,
  bareProbes,
  endingCommands,
  evidentCommands,
  needsArgument,
  plainCommands,
  shells,
  speakingCommands,
  tellingAlone,
  windowsCommands,
  wordCommands,
} from './commands.ts';
import { behind, isActing, isArgued, isFirmlyArgued, isNumbered } from './shell-arguments.ts';
import { type CommandPosition, commandPositions, firstCommand } from './shell-lexer.ts';
import { beginsAsStatement, isMediaType, isOfTemplate } from './shell-lookalikes.ts';
import { isScriptFile, isTold, onlyTells, opensWithCodeSpan } from './told-commands.ts';

export const shellFindings = [
  'command after separator',
  'continued command line',
  'substituted command',
  'command line',
  'disguised command',
  'lone command',
  'lone substitution',
  'quoted name',
  'mentioned command',
  'command among words',
] as const;
export type ShellFinding = (typeof shellFindings)[number];

const escaped = (words: Iterable<string>) =>
  [...words].map((word) => word.replace(/[.$*^\\?(){}|[\]]/g, '\\$&')).join('|');

/** Commands whole, with what ends a word; what breaks words up, so that none of it need show. */
const command = `(?:${escaped([...plainCommands, ...wordCommands])})(?:[\\s\\xa0;|&()<>\`,}=$]|$)`;
const before = '[\\s\\xa0;|&`({!@/]';
const brokenUp = `'|"|\\\\|\\^|\`\\w{0,3}\`|\\$(?:[({@*!#?$0-9-]|ifs)`;

/** Finds commands behind a separator, where a shell would run them. */
export const separatedCommandDetector: Detector = {
  name: 'shell separators',
  gate: {
    pattern: new RegExp(`${before}${command}|${brokenUp}`, 'i'),
    allOf: [[';', '|', '&', '`', '$(', '<(', '>(', '\n']],
  },
  detect: (text) => collect(text, commandPositions(text)),
};

/** Finds a command at the start of the text, where nothing but its form tells. */
export const commandLineDetector: Detector = {
  name: 'command line',
  gate: { pattern: new RegExp(`(?:^|${before})${command}|${brokenUp}`, 'i'), allOf: [] },
  detect: (text) => {
    const first = firstCommand(text);
    return first ? collect(text, [first]) : [];
  },
};

const tellable = new Set<ShellFinding>(['command after separator', 'lone substitution', 'quoted name']);

/** Whether it stands as people show each other commands; the rules ask in which fields that is to be believed. */
function isShown(text: string, judged: ShellFinding, at: number): boolean {
  if (isScriptFile(text) || (tellable.has(judged) && isTold(text, at))) return true;
  return judged === 'substituted command' && (opensWithCodeSpan(text) || onlyTells(text, at));
}

function collect(text: string, positions: readonly CommandPosition[]): readonly Finding[] {
  const found = new Map<ShellFinding, Finding>();
  const whole: Whole = { markdown: undefined, lines: undefined };
  for (const position of positions) {
    const judged = judge(text, position, whole);
    const told = judged && isShown(text, judged, position.start);
    const kind = told ? 'continued command line' : judged;
    if (kind && !found.has(kind))
      found.set(kind, { kind, span: [position.start, Math.min(position.end + 40, text.length)] });
  }
  return [...found.values()];
}

/** What is known of a text as a whole, once one of its commands asked for it. */
interface Whole {
  markdown: boolean | undefined;
  lines: number | undefined;
}

function judge(text: string, position: CommandPosition, whole: Whole): ShellFinding | undefined {
  const { command, after, disguised, located } = position;
  const plain = plainCommands.has(command);
  if (command === 'printf' && isOfTemplate(text, position)) return undefined;
  // `data:image/jpeg;base64,/9j/`: a parameter of a media type, RFC 2397
  if (command === 'base64' && isMediaType(text, position)) return undefined;
  if (!plain && !wordCommands.has(command)) return undefined;
  // A word and nothing else: names of fields are called so as well.
  if (after === 'start' && command.length === text.length)
    return plain && tellingAlone.has(command) ? 'lone command' : undefined;
  if (text[position.end] === '=' || isMember(text, position.end)) return undefined;
  const rest = behind(text, position.end);
  if (isWrittenByChance(text, position, rest)) return undefined;
  if (isStageOfQuery(position, rest) || isProduct(text, position, rest)) return undefined;
  const argued = isArgued(command, rest, after === 'start') && !isNumbered(command, rest);
  const ended = /^\s*(?:$|[;|&`)\n#}])/.test(rest);
  if (disguised && (argued || ended || plain) && after !== 'start' && command.length > 1)
    return 'disguised command';
  if (
    disguised &&
    after !== 'start' &&
    command.length > 1 &&
    /^\s{1,3}[\w'"\\/]/.test(rest) &&
    after !== 'newline'
  )
    return 'disguised command';
  if (disguised && (argued || (plain && ended)) && (plain || command.length > 2)) return 'disguised command';
  if (after !== 'newline' && after !== 'start' && isBraceList(text, position, rest))
    return 'disguised command';
  switch (after) {
    case 'start':
      return atStart(text, position, plain, argued, ended);
    case 'substitution':
      return substituted(plain, argued || isGivenWords(text, position, rest), ended);
    case 'backtick':
      if (isAmongWords(text, position, whole))
        return substituted(plain, argued, ended) && 'command among words';
      if (!argued && mentioned.test(text.slice(position.end, position.end + 60))) return 'mentioned command';
      if (!argued && !plain && ended && beginsAsStatement.test(text)) return 'quoted name';
      return substituted(plain, argued || isGivenWords(text, position, rest), ended);
    case 'newline':
      return afterNewline(text, position, plain || located, argued, ended, whole);
    default:
      return afterSeparator(text, position, plain || located, argued, ended);
  }
}

/**
 * A name of one to three letters behind a sign, which every thousandth password holds, and what shows that nobody meant
 * it: capitals, which only Windows takes for the same, a substitution that does not end, and a lone letter that
 * something is written right behind.
 */
function isWrittenByChance(text: string, position: CommandPosition, rest: string): boolean {
  const { command, after, disguised, shouted, start, end } = position;
  if (command.length > 3 || plainCommands.has(command)) return false;
  if (/^\s{1,9}\S/.test(rest)) return false;
  if (shouted && !windowsCommands.has(command) && /[a-z]/.test(text)) return true;
  const isSubstitution = after === 'substitution' || after === 'backtick';
  if (isSubstitution && !text.includes(after === 'backtick' ? '`' : ')', end)) return true;
  if (command.length > 1) return disguised && command.length === 2 && !bareProbes.has(command);
  return isSubstitution
    ? !/^[`)]/.test(rest)
    : !/^\s*[;|&]*$/.test(rest) || !/^[\w.@'" -]{0,24}$/.test(text.slice(0, Math.min(start, 26)));
}

/** Lines of prose and of code begin with such words too; an injection is a line or two behind a short value. */
function afterNewline(
  text: string,
  { start, end, command }: CommandPosition,
  strong: boolean,
  argued: boolean,
  ended: boolean,
  whole: Whole,
): ShellFinding | undefined {
  const behindValue = /^[\d.'"]{0,20}$/.test(text.slice(0, Math.min(start, 24)));
  if (behindValue && ended && bareProbes.has(command) && text.length < 60) return 'command after separator';
  if (
    ended &&
    bareProbes.has(command) &&
    text.length < 60 &&
    /^[\w.'"-]{1,24}(?:[^\S\n]{1,3}[\w.'"-]{1,24}){0,3}$/.test(text.slice(0, start))
  )
    return 'command among words';
  const onFile = /^\S{0,24}$/.test(text.slice(0, start)) && text.length < 120 && argued;
  // A line alone, on a file that no sentence opens
  if (
    argued &&
    start < 60 &&
    text.length < 160 &&
    /^\s{1,3}\/(?:etc\/(?:passwd|shadow|sudoers)|proc\/self)\b/.test(text.slice(end, end + 16))
  )
    return 'command after separator';
  if (onFile && /^\s{1,3}(?:-\w|[~.]{0,2}\/|\$)/.test(text.slice(end, end + 8)))
    return 'command after separator';
  // Behind lines of one word each, which a value is, a line with what only a command is given
  if (
    start < 60 &&
    text.length < 160 &&
    /^\s*(?:\S{1,40}\s+)?(?:\S{1,40}\s*)?$/.test(text.slice(0, start)) &&
    isFirmlyArgued(command, behind(text, end), argued)
  )
    return 'command after separator';
  const indented = /^\r?\n(?:\t| {2})/.test(text.slice(start, start + 4));
  if (!strong || (!argued && !ended) || indented || text.length >= 300) return undefined;
  whole.lines ??= text.split('\n').length;
  return whole.lines <= 4 ? 'command after separator' : undefined;
}

/** `$(mkdir x)`, `` a`mail root` ``: words in a substitution that ends, which no sentence writes so. */
function isGivenWords(text: string, { start, after, command }: CommandPosition, rest: string): boolean {
  if (after === 'backtick')
    return (
      (actingCommands.has(command) || makingWords.has(command)) &&
      /^\s{1,4}[\w./-][^`\n]{0,60}`/.test(rest) &&
      start < 60
    );
  if (text[start] === '$') return /^\s{1,4}[\w./-][^()\n]{0,60}\)/.test(rest);
  return actingCommands.has(command) && /^\s{1,4}[\w./-][^()\n]{0,60}\)/.test(rest);
}

/** Commands that print what they are given, to run it as a command. */
const makingWords = new Set(['echo', 'printf', 'rev', 'base64', 'xxd']);

/** `;{mkdir,x}`: a list in braces that expands to a command and its arguments. */
function isBraceList(text: string, { start, end, command }: CommandPosition, rest: string): boolean {
  return (
    text[end] === ',' &&
    (plainCommands.has(command) || actingCommands.has(command)
      ? /^,[^{}\n]{0,60}\}/.test(rest)
      : /^,(?:\}[\s;|&)]|[-/][^{}\n]{0,60}\})/.test(rest)) &&
    /\{[^\s{},]{1,40}$/.test(text.slice(start, end))
  );
}

function substituted(plain: boolean, argued: boolean, ended: boolean): ShellFinding | undefined {
  if (!argued && !ended) return undefined;
  return plain || argued ? 'substituted command' : 'lone substitution';
}

const typed = new Set(
  'cat ls rm cp mv nc ping sh php perl python ruby telnet tail head echo touch type net cmd ps dir sleep sudo kill chmod find grep awk sed xargs more less tac nl'.split(
    ' ',
  ),
);

function atStart(
  text: string,
  { command, located, disguised, end }: CommandPosition,
  plain: boolean,
  argued: boolean,
  ended: boolean,
): ShellFinding | undefined {
  if (text.length > 400 || text.includes('\n')) return undefined;
  // 'ls -v now orders names by version': what follows the options is a sentence.
  if (
    /(?:\s[a-z]{2,12}\b(?![./=-])){4}/i.test(text) &&
    !/[;`$<>\\]|&&|\|\||\/(?:etc|bin|dev|tmp)\//.test(text)
  )
    return undefined;
  if (located && (argued || ended)) return 'command line';
  if (argued && (plain || typed.has(command))) {
    return plain || /[/\\$|;&`<>]|\s-\w|\d\.\d/.test(text.slice(command.length)) ? 'command line' : undefined;
  }
  if (!plain || !ended) return undefined;
  if (text.trim().length === command.length) return tellingAlone.has(command) ? 'lone command' : undefined;
  return disguised || /^\s*[;|&]/.test(text.slice(end)) ? 'command line' : undefined;
}

/**
 * `python;bash;sql`: three names or more and nothing else, of letters alone, and a program's only where it is given nothing. Behind one value and
 * a semicolon a shell reads what the request holds.
 */
const isListOfNames = /^[a-z][a-z+#]{0,20}(?:;[a-z][a-z+#]{0,20}){2,12}$/i;

const fewWordsBefore = /^(?:[^\s;|&]{1,40}\s{1,3}){1,4}[^\s;|&]{0,40}\s?$/;

function afterSeparator(
  text: string,
  position: CommandPosition,
  strong: boolean,
  argued: boolean,
  ended: boolean,
): ShellFinding | undefined {
  const { start, command, after } = position;
  const before = text.slice(Math.max(0, start - 40), start);
  const rest = behind(text, position.end);
  // `run: |` and a line break: a block of YAML
  if (after === '|' && /^\|\r?\n/.test(text.slice(start, start + 3)) && /:\s$/.test(before)) return undefined;
  // `&lt;` and `a=1&id=2`: an entity or the next parameter, not a job in the background
  const evident =
    argued &&
    (/^\s{1,3}(?:\/\w\s{1,3})?[a-z]:\\/i.test(rest) ||
      command === 'net' ||
      command === 'reg' ||
      (command === 'ping' && /\s-[cnitw]\b/.test(rest)) ||
      !/[=?;]/.test(before));
  if (after === '&' && !/^(?:&&|&\s)/.test(text.slice(start, start + 2)) && !strong && !evident)
    return undefined;
  const idles = needsArgument.has(command) || (shells.has(command) && isListOfNames.test(text));
  if (strong && (argued || (ended && !idles))) return 'command after separator';
  if (argued && !isListItem(text, before, start, after)) return 'command after separator';
  if (evidentCommands.has(command) && /^\s{1,3}[\w/-]/.test(rest)) return 'command after separator';
  // Right behind a value and a separator
  if (
    !position.shouted &&
    /^\S{0,40}\s?$/.test(text.slice(0, Math.min(start, 48))) &&
    isActing(command, rest)
  )
    return 'command after separator';
  if (
    !position.shouted &&
    start < 120 &&
    fewWordsBefore.test(text.slice(0, start)) &&
    isActing(command, rest)
  )
    return 'command among words';
  // `x;echo marker`: one word, right behind a value and a separator, and nothing after it
  if (
    speakingCommands.has(command) &&
    /^\s{1,3}[\w.-]{1,60}\s*(?:$|[;|&`)#])/.test(rest) &&
    /^[^\s;|&]{0,40}\s?$/.test(text.slice(0, Math.min(start, 48)))
  )
    return 'command after separator';
  if (
    endingCommands.has(command) &&
    /^;\w.{0,24};/.test(text.slice(start)) &&
    /^[\w.]{0,20}['"]?$/.test(text.slice(0, Math.min(start, 24)))
  )
    return 'command after separator';
  return ended && bareProbes.has(command) ? bareProbe(text, position, rest, before) : undefined;
}

/** A name with nothing behind it, which lists hold too. */
function bareProbe(
  text: string,
  { start, after }: CommandPosition,
  rest: string,
  before: string,
): ShellFinding | undefined {
  // `a;id|`, `/x.html|id|`: two separators of different kinds join no list, nor do names of files
  if (start < 40 && /^\s?\|\s?$/.test(rest) && (after === ';' || (after === '|' && /^[./]/.test(text))))
    return 'command after separator';
  if (/^\s?\|\s?(?:grep|awk|sed|head|tail|cut|sort|base64|xxd|nc|curl|tee|wc)\s/i.test(rest))
    return 'command after separator';
  if (/(?:^|[\d'")\]}/])\s*$/.test(before)) return 'command after separator';
  // `my host;id;`: of a list, each item is set off by a space
  return /^[;|]\w/.test(text.slice(start)) && start < 120 && fewWordsBefore.test(text.slice(0, start))
    ? 'command among words'
    : undefined;
}

/** `… | sort -count | head 10`: stages of a query of logs (SPL, KQL). With no file named, such a command reads what is before it. */
function isStageOfQuery({ command, after }: CommandPosition, rest: string): boolean {
  if (after !== '|') return false;
  if (command === 'sort')
    return /^\s{1,3}(?:by\s{1,3}|[-+]\s?)[a-z_]{3,40}(?:\s{1,3}(?:asc|desc))?\s{0,3}(?:$|\|)/i.test(rest);
  return (command === 'head' || command === 'tail') && /^\s{1,3}\d{1,6}\s{0,3}(?:$|\|)/.test(rest);
}

/** `Composer/2.6.6 (Linux; PHP 8.2.13; cURL 8.4.0)`: a product and its version in a comment. RFC 9110 §10.1.5. */
function isProduct(text: string, { start, end, after }: CommandPosition, rest: string): boolean {
  return (
    after === ';' &&
    /^;\sPHP$/.test(text.slice(start, end)) &&
    /^\s\d{1,2}(?:\.\d{1,3}){1,2}(?=[;)])/.test(rest) &&
    /^[\w.-]{1,40}\/[\w.-]{1,20} \([^()]{0,200}$/.test(text.slice(0, Math.min(start, 260)))
  );
}

/** `fields=id|name|date`: words joined by bars. */
function isListItem(text: string, before: string, start: number, after: string): boolean {
  return (
    after === '|' && /^\|\w/.test(text.slice(start, start + 2)) && /\w$/.test(before) && !/\s/.test(text)
  );
}

/** `id.name`, `id:3`, `cat-food`: a longer name that only starts like a command. */
function isMember(text: string, end: number): boolean {
  return /^[.:\w-]/.test(text.slice(end, end + 1));
}

/** Whether a backtick stands where people set names as code. */
function isAmongWords(text: string, position: CommandPosition, whole: Whole): boolean {
  if (!opensUnprompted(text, position)) return true;
  whole.markdown ??= isMarkdown(text);
  return whole.markdown;
}

/** Several words in backticks among many are how people write about code. */
function isMarkdown(text: string): boolean {
  return (
    text.length > 60 &&
    /(?<![\w`])`[\w.$/-]{1,40}`(?![\w`])/.test(text) &&
    /(?<![a-z])(?:[a-z]{2,}[,.]? ){3}/i.test(text)
  );
}

/** '`date` (preferred) or `timestamp`': a title that begins with a name set as code. A shell runs it all the same. */
const mentioned = /^`[,:]?(?:\s[(`]{0,2}[a-z\x80-\xff-]{2,20}[`),.:]{0,2}){2}(?:\s|$)/i;

/** In prose a backtick follows a space; as an attack it follows a value or stands first. */
function opensUnprompted(text: string, { start: at, command }: CommandPosition): boolean {
  if (at === 0) return true;
  if (makingWords.has(command) && /^\S{0,40}\s?[;|&]\s{0,2}$/.test(text.slice(Math.max(0, at - 44), at)))
    return true;
  return (
    /[\w;|&=:'"$(,/.-]/.test(text.charAt(at - 1)) ||
    /^[\s\d.;|&'"]*$/.test(text.slice(Math.max(0, at - 40), at))
  );
}
