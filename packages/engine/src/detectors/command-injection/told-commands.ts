import { verbose } from '../../verbose.ts';

/** Programs that a line of a terminal or a script begins with, and that a value seldom begins with. */
const programs = verbose()`
  sudo|npm|npx|yarn|pnpm|node|git|docker(?:-compose)?|podman|kubectl|helm|make|cmake|pip3?|python3?|poetry|cargo|go
  |mvn|gradle|composer|php|ruby|bundle|rails|java|javac|dotnet|terraform|ansible(?:-playbook)?|aws|gcloud|az
  |apt(?:-get)?|apk|yum|dnf|brew|systemctl|service|journalctl|ps|ls|cd|cat|grep|egrep|awk|sed|find|tail|head|tar|curl
  |wget|ssh|scp|rsync|mysql|psql|redis-cli|echo|export|source|until|while|for|mkdir|cp|mv|chmod|chown|ln|touch|exec
  |sleep|set\s-[a-z]|mount|umount|sort|uniq|wc|cut|tr|xargs|tee|jq|df|du|lsof|netstat|ss|ip|dmesg|kill|openssl|gzip
  |gunzip|zip|unzip|dig|crontab|ping|traceroute|tracert|netstat|ipconfig|ifconfig|lsblk|tcpdump|if\s\[{1,2}
`.source;

/** Tools of builds, which the scripts of a package call with no argument: `tsc && cp -r assets dist`. */
const tools = verbose()`
  tsc|vite|webpack|rollup|esbuild|parcel|eslint|prettier|biome|jest|vitest|mocha|ava|tsup|swc|babel|gulp|grunt|husky
  |nodemon|pytest|tox|ruff|mypy|flake8|rspec|phpunit|phpstan|\.{1,2}/[\w./-]{1,60}\.(?:sh|py|rb|pl|js|ts)
`.source;

/** What follows the name of a program, quoted or not, up to a separator of interest. */
const following = '\\s+[^\\s;|&](?:[^\\n"`>]|"[^"\\n]{0,120}")*';

/** Such a line, so far, from where a line, a quotation, a code span, an element or a colon's other side begins. */
const toldLine = new RegExp(
  `(?:^|[\\n"'\`>[\\]]|[a-z]{2}:\\s|\\n\\s*-\\s)\\s*(?:(?:[\\d*][\\d*/,-]{0,11}\\s+){5})?(?:(?:RUN|CMD|\\$|#)\\s+)?(?:[A-Z_]{2,20}=\\S{0,40}\\s+)?(?:(?:${programs})${following}|(?:${tools})(?:${following}|\\s*))$`,
);

/** A whole line of several, quotes and all. */
const toldLineOfMany = new RegExp(
  `\\n\\s*(?:(?:RUN|CMD|\\$)\\s+)?(?:[A-Z_]{2,20}=\\S{0,40}\\s+)?(?:${programs})\\s+[^\\s;|&][^\\n]*$`,
);

/** The line that opens a block of code in Markdown. */
const fence = /(?:^|\n)\s{0,9}```[\w-]{0,12}$/;

/** how far back a line is read */
const reach = 400;

/**
 * Whether what stands before a separator is a command line itself: `ps aux | grep java`, `npm ci && npm test`. An
 * injection stands behind an argument that its host wrote a command for.
 * @param at offset of the separator
 */
function continuesCommandLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - reach), at);
  return toldLine.test(before) || toldLineOfMany.test(before) || fence.test(before);
}

/** A script as a file begins; nothing in front of it could make it an argument. */
export function isScriptFile(text: string): boolean {
  return /^#!\/\S[^\n]{0,80}\n/.test(text);
}

const quotedLine = new RegExp(
  `[a-z]{2}[,:]?\\s(["\`])(?:(?:\\$|sudo)\\s+)?(?:(?:${programs})\\s[^\\n"\`]{0,200})?$`,
);

/** `I'd use "grep -r foo . | wc -l" to count`: between two words of a sentence, in quotes that open and close. */
function isQuotedInProse(text: string, at: number): boolean {
  const opened = quotedLine.exec(text.slice(Math.max(0, at - reach), at));
  if (!opened) return false;
  const close = text.indexOf(opened[1] ?? '"', at);
  return close > 0 && close - at < reach && /^(?:[\s,.;:)]|$)/.test(text.slice(close + 1, close + 2));
}

/** What nobody shows another how to do in passing. */
const reconnaissance = verbose('i')`
  \/(?:etc\/(?:passwd|shadow|sudoers)|proc\/\w|dev\/(?:tcp|udp)\/|root\/)
  |\.ssh\/
  |\b(?:whoami|nslookup|ifconfig|ipconfig)\b
  |\bn(?:et)?c(?:at)?\s+(?:-|\d)
  |^[;|&\s]{1,4}(?:id|uname)\b
  |https?:\/\/\d{1,3}\.\d
`;

/**
 * Whether a command behind a separator stands where people show each other command lines. An attacker can write so
 * as well, so it excuses nothing by itself: the rules ask for a field in which command lines are shown.
 * @param at offset of the separator
 */
export function isTold(text: string, at: number): boolean {
  return (
    !reconnaissance.test(text.slice(at, at + 160)) &&
    (continuesCommandLine(text, at) || isQuotedInProse(text, at))
  );
}

/** `chmod 777` lets anyone write: a code span where the text begins, and a sentence that goes on. */
export function opensWithCodeSpan(text: string): boolean {
  return /^`[^`\n]{1,60}` [a-z]{2,} [a-z]{2,}/i.test(text);
}

/** What the version of a package is read with: `$(node -p "require('./package.json').version")`. Nothing else fits. */
const printsVersion = verbose()`
  node\s-(?:p|pe)\s{1,3}\\{0,3}["']require\(\\{0,3}['"]\.{1,2}\/package(?:-lock)?\.json\\{0,3}['"]\)
  \.version\\{0,3}["']\s?\)
`;

/** Commands that tell of the project, the clock or a name that the script already has, and an end. */
const tellsOfProject = verbose('g')`
  \$\(\s?(?:
    (?:
      git\s(?:rev-parse|describe|ls-files|merge-base|log|branch)(?:
        \s--(?:short(?:=\d{1,2})?|tags|always|dirty|verify|abbrev-ref|abbrev=\d{1,2}|show-toplevel|show-current|oneline)
        |\s-\d{1,2}
        |\s(?:HEAD|main|master|origin\/\w{1,20})(?:[~^]\d{0,2})?
        |\s\*\.[a-z]{1,6}
      ){0,5}
      |date(?:\s-[uI])?(?:\s['"]?\+[%\w:.-]{1,30}['"]?)?
      |(?:dirname|basename)\s(?:--\s)?\\?["']?\$(?:0|\{?BASH_SOURCE(?:\[0\])?\}?|PWD)\\?["']?
      |cat\s(?:\.\/)?(?:VERSION|version|RELEASE|\.nvmrc|\.node-version|version\.txt)
      |npm\s(?:bin|root|prefix)(?:\s-g)?
    )\s?\)
    |${printsVersion}
  )
`;
/** Where another command could begin, or what is told could end up in a file. */
const runsMore = /[`\n;&|<>]|\$\(/;
/** `>> $GITHUB_OUTPUT`: the file that the job already has */
const toGivenFile = /\s>>\s?"?\$\w{1,30}"?\s{0,3}$/;

/** Whether a text holds such commands in a substitution, one of them where it is asked for, and no other at all. */
export function onlyTells(text: string, at: number): boolean {
  if (text.length > 1000) return false;
  const starts = [...text.matchAll(tellsOfProject)].map((match) => match.index);
  return starts.includes(at) && !runsMore.test(text.replace(tellsOfProject, '').replace(toGivenFile, ''));
}
