import { verbose } from '../../verbose.ts';
import { actingCommands, argument, numberedWords, plainCommands, wordCommands } from './commands.ts';

const longestRest = 120;

/** What follows a word, 120 bytes of it; lines that backslashes continue are the one line that they are to a shell. */
export function behind(text: string, end: number): string {
  const rest = text.slice(end, end + longestRest);
  return rest.includes('\\\n') || rest.includes('\\\r\n')
    ? rest.replace(/\s{0,3}\\\r?\n\s{0,3}/g, ' ')
    : rest;
}

/** Whether a command is given what it would be given, and no sentence would hold there: an option, a file, a host. */
export function isArgued(command: string, rest: string, isFirst: boolean): boolean {
  return (
    hasArgument(rest) ||
    actions[command]?.test(rest) === true ||
    (!isFirst && laterArgument.test(rest)) ||
    (runners.has(command) && namesCommand(rest)) ||
    ((plainCommands.has(command) || remote.has(command)) &&
      /^\s{1,9}[a-z0-9][\w-]{0,60}\.[\w.-]{2,80}/i.test(rest))
  );
}

/** Whether it is a word with its number, and nothing more: a revision, a kind, an edition. */
export function isNumbered(command: string, rest: string): boolean {
  return numberedWords.has(command) && /^\s\d{1,4}\s{0,3}(?:$|[;,)])/.test(rest);
}

/** `; call <a href="…">us</a>`, `| dir</p>`: a redirection reads a file, and this is an element. */
const element = /^(?:\s{1,9}<\/?|<\/)[a-z][a-z\d]{0,12}(?:\s{1,3}[a-z-]{2,20}\s?=|\s?\/?>)/i;

function hasArgument(rest: string): boolean {
  if (element.test(rest)) return false;
  const gap =
    /^(?:\s{1,9}|\xa0|\$IFS(?:\$\d)?|\$\{IFS[^}]{0,20}\}|,|(?=[<>]{1,3}\s{0,3}[&(\w./~$"'`%-]))/.exec(rest);
  return gap !== null && gap[0].length < rest.length && argument.test(rest.slice(gap[0].length));
}

/** Words that only sentences hold. */
const ofSentences =
  /(?:the|an?|your|my|our|this|that|these|all|in|on|of|to|from|for|as|is|are|was|at|and|or|it|its|default|if|will|can)\b/;

/** Behind a few words that make no sentence: a file of the system, an address, an account on a host. */
const laterArgument = verbose('i')`
  ^(?:
    [\s\xa0]{1,4}
    (?!${ofSentences})
    [\w.=-]{1,24}
  ){0,3}[\s\xa0]{1,4}(?:
    \/(?:etc|proc|dev|tmp|var|bin|root|home|usr|sys)\/\w
    |(?:[a-z][\w.-]{0,20}@)?\d{1,3}(?:\.\d{1,3}){3}(?![\w.])
  )
`;

/** What is done is told in a word: `service ssh stop`, `tar cf x.tar .`, `ssh eve@host`. */
const actions: Readonly<Record<string, RegExp>> = {
  reg: /^\s{1,9}(?:add|query|delete|save|export|import)\s/i,
  net: /^\s{1,9}(?:user|localgroup|group|view|use|share|accounts|config)\b/i,
  service: /^\s{1,9}[\w.-]{2,30}\s{1,9}(?:start|stop|restart|status|reload)\b/,
  tar: /^\s{1,9}-?[cxtz]{1,2}[vzjpJ]{0,3}f\s/,
  openssl: /^\s{1,9}(?:version|enc|s_client|x509|req|genrsa|base64|passwd|dgst|rand)\b/,
  ssh: /^\s{1,9}[a-z_][\w-]{0,30}@[\w-]{1,40}(?:[.:]|\s|$)/i,
  scp: /^\s{1,9}(?:[\w./~-]{1,40}\s{1,4})?[a-z_][\w-]{0,30}@[\w-]{1,40}(?:[.:]|\s|$)/i,
  xargs: /^\s{1,4}(?:-\w\s|sh\b|bash\b|env\b)/,
};

/** Commands whose argument is a command. */
const runners = new Set(['busybox', 'nohup']);

function namesCommand(rest: string): boolean {
  const word = /^\s{1,9}([a-z][\w-]{1,20})/.exec(rest)?.[1];
  return word !== undefined && (plainCommands.has(word) || wordCommands.has(word));
}

/** Commands whose argument is a host. */
const remote = new Set(['ping', 'host', 'dig', 'telnet', 'ssh', 'ftp', 'nc']);

/** As its first argument, at most behind a short word, something that is none of a list's or a recipe's. */
const firmArgument = verbose('i')`
  ^\s{1,9}(?:[a-z]{1,3}\s)?(?:
    -{1,2}[a-z]
    |[~.]{0,2}\/
    |https?:
    |\$[({\w]
    |[\w.-]{1,40}\.[a-z]{2,8}(?![\w.])
    |[\w.-]{1,30}@[\w-]
    |\d{1,3}(?:\.\d{1,3}){3}
  )
`;

/** One to three words, and then what ends a command. */
const fewWords = verbose('i')`
  ^\s{1,3}(?!${ofSentences})[a-z_.~/-][^\s;|&]{0,40}(?:\s{1,3}(?!${ofSentences})[\w./~:@-]{1,40}){0,2}\s{0,3}(?:$|[;|&\`)\n\#'"])
`;

/** Whether a command of a line of its own is given what stands on no line of a list. */
export function isFirmlyArgued(command: string, rest: string, argued: boolean): boolean {
  return (
    (argued && command !== 'host' && firmArgument.test(rest)) ||
    (actingCommands.has(command) && fewWords.test(rest))
  );
}

/** Whether an acting command is given a few words and nothing after them: `x;rm y`, `a | vi x #`. */
export function isActing(command: string, rest: string): boolean {
  return actingCommands.has(command) && fewWords.test(rest);
}
