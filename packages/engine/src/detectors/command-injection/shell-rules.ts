import type { Part } from '../../parse/index.ts';
import type { Detector, Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, detectRule, headParts, patternRule } from '../define.ts';
import { asideOpens, elementOfText, wordEnd, writtenAgainst } from '../prose.ts';
import { besideTexts, besideWords } from '../text-fields.ts';
import {
  commandTargets,
  documentTargets,
  fieldParts,
  shown,
  telling,
  typed,
  unexpectedTargets,
} from './command-fields.ts';
import { powershellRules } from './powershell-rules.ts';
import { commandLineDetector, type ShellFinding, separatedCommandDetector } from './shell-detector.ts';
import { shellGrammarRules } from './shell-grammar-rules.ts';
import { systemProgram, windowsPlace, windowsShellOption } from './system-programs.ts';
import { windowsRules } from './windows-rules.ts';

const category = 'command_injection' as const;

function structure(
  id: string,
  finding: ShellFinding,
  message: string,
  detector: Detector,
  more: Partial<Pick<Rule, 'score' | 'sensitivity' | 'targets'>> & { readonly parts?: readonly Part[] } = {},
): Rule {
  return detectRule({
    id: `cmd-${id}`,
    category,
    finding,
    message,
    detector,
    parts: anywhere,
    severity: 'critical',
    ...more,
  });
}

/** What a parameter that reaches a command line names, and what probes put behind it. */
const fileOrHost = verbose('i')`
  [\w-]{1,24}\.(?:txt|png|jpe?g|gif|pdf|csv|html?|xml|json|log|zip|docx?|mp[34]|com|org|net|\d{1,3}\.\d{1,3}\.\d{1,3})
`;
const probe = /(?:id|ls|ps|env|pwd|dir|who|w|hostname|uptime|mount|reboot|last)/;

const probeAlone = verbose('i')`
  ^(?:
    [a-z]\)?[;|]{1,2}(?:id|ls|ps|env|pwd|who)[;|]?
    |&{1,2}dir
    |(?:\\n)(?:id|ls)(?:\\n)?
    |(?:[\w.-]{0,24}["']?\s?(?:&&|\|\|)|${fileOrHost}["']?\s?[;|&]{1,2})\s?${probe}\s?(?:;?\s?["'#]?)
    |[\w.-]{0,24}["']?\s?[;|&]{1,2}\s?${probe}\s?(?:;\s?)?\#
  )$
`;

/** Names of fields that hold what nobody should guess. */
const secrets = verbose('i')`
  (?:^|[._[-])(?:
    (?:new|old|current|confirm|repeat|user|login)?_?(?:pass(?:word|wd|phrase|code)?|pwd|secret|pin)
    (?:_?(?:confirm(?:ation)?|repeat|again|new|old|[12]))?|(?:client|api)_?secret|(?:access|api|auth|csrf)?_?token
  )\]?$
`;
/** Letters with digits among them, and by chance one of the shortest commands at the end. */
const byChance = /^(?=[\w.-]{0,24}[a-z]\d{1,3}[a-z])[\w.-]{8,24}[;|&]{1,2}(?:id|ls|ps|w)#$/;
/** Names of fields that hold a statement of SQL. */
const statements = /(?:^|[._[-])\w{0,20}sql(?:_?query)?\]?$/i;
const hasFields = (part: Part) => part === 'query' || fieldParts.some((one) => one === part);

/** A tool of an operator with what it shall do, and a separator before it. */
function toolBehind(value: RegExp): RegExp {
  return verbose('i')`
    ^${value}["')]{0,2}\s{0,3}(?:;|\|\|?|&&?)\s{0,3}(?:
      (?:kubectl|docker|podman|crictl|nsenter|helm)\s{1,3}(?:
        get|run|exec|create|apply|delete|cp|pull|ps|images|install|config|-{1,2}[a-z]
      )\s{1,3}\S
      |dd\s{1,3}(?:if|of)=
    )
  `;
}

/** Commands of operating systems. */
export const shellRules: readonly Rule[] = [
  structure(
    'separator',
    'command after separator',
    'A shell command after a separator',
    separatedCommandDetector,
  ),
  structure(
    'substitution',
    'substituted command',
    'A command in $(…) or backticks',
    separatedCommandDetector,
  ),
  structure('line', 'command line', 'A command line as a value', commandLineDetector, {
    sensitivity: 'medium',
    targets: commandTargets,
  }),
  structure('line-told', 'command line', 'A command line in a document', commandLineDetector, {
    sensitivity: 'medium',
    score: 3,
    targets: unexpectedTargets,
  }),
  structure(
    'continued',
    'continued command line',
    'A command line of several commands',
    separatedCommandDetector,
    {
      targets: [
        ...headParts.map((part) => ({ part })),
        ...fieldParts.map((part) => ({ part, notPath: telling })),
      ],
    },
  ),
  structure(
    'continued-told',
    'continued command line',
    'A command line of several commands, where people and deployments show such lines',
    separatedCommandDetector,
    {
      targets: [{ part: 'body' }, ...fieldParts.map((part) => ({ part, path: telling }))],
      score: 2,
      sensitivity: 'high',
    },
  ),
  structure(
    'disguised',
    'disguised command',
    'A command broken up by quotes or escapes',
    separatedCommandDetector,
  ),
  structure(
    'disguised-line',
    'disguised command',
    'A command line broken up by quotes or escapes',
    commandLineDetector,
  ),
  structure('lone', 'lone command', 'The bare name of a reconnaissance command', commandLineDetector, {
    score: 3,
    sensitivity: 'medium',
    targets: typed,
  }),
  structure(
    'lone-substitution',
    'lone substitution',
    'A short command in $(…) or backticks',
    separatedCommandDetector,
  ),
  structure(
    'quoted-name',
    'quoted name',
    'A short command in backticks behind a word of SQL, where no statement is asked for',
    separatedCommandDetector,
    {
      targets: anywhere.map((part) => (hasFields(part) ? { part, notPath: statements } : { part })),
    },
  ),
  structure(
    'mentioned',
    'mentioned command',
    'A command in backticks, outside texts',
    separatedCommandDetector,
    {
      targets: besideTexts(anywhere),
    },
  ),
  structure(
    'among-words',
    'command among words',
    'A command among words, where nobody writes any',
    separatedCommandDetector,
    { targets: besideWords(anywhere, telling) },
  ),
  patternRule({
    id: 'cmd-reverse-shell',
    category,
    severity: 'critical',
    message: 'A shell that calls back',
    pattern: verbose('i')`
      \/dev\/(?:tcp|udp)\/
      |\b(?:ba|z|k|da)?sh\s{1,9}-i\b
      |\b\d?>&\s{0,9}\/dev\/
      |\b0[<>]&\d
      |\bn(?:et)?c(?:at)?(?:\.\w{2,12})?\s{1,9}[^\n]{0,60}-[a-z]{0,3}e\s{0,9}['"]?(?:
          \/bin|cmd|powershell|bash|sh\b
        )
      |\bmkfifo\s{1,9}\/
      |\bsocat\s{1,9}[^\n]{0,60}exec:
      # but for its version
      |\b(?:python\d?(?:\.\d)?|perl|ruby|php|node|lua)\s{1,9}-(?:c|e|r|rsocket)\s{0,9}['"](?!
        (?:import sys; ?print\(sys\.version\)|console\.log\(process\.versions?(?:\.\w{1,20})?\))["']
      )
    `,
  }),
  patternRule({
    id: 'cmd-interpreter-path',
    category,
    severity: 'critical',
    message: 'The path of a shell or system program',
    targets: commandTargets,
    pattern: verbose('i')`
      (?!^\/(?:usr\/)?bin\/(?:ba|z|k|da)?sh$)(?:
        ^|\`|[^\w.\s!\`](?<!${writtenAgainst}|${elementOfText}|${asideOpens})|(?<!${wordEnd}|!|\*)\s
      )\/(?:usr\/(?:local\/)?)?s?bin\/${systemProgram}
      |\b(?:cmd|powershell)(?:\.exe)?\s{1,9}${windowsShellOption}
      |${windowsPlace}
    `,
  }),
  patternRule({
    id: 'cmd-interpreter-path-behind',
    category,
    severity: 'critical',
    message: 'The path of a shell or system program behind a separator',
    targets: documentTargets,
    pattern: verbose('i')`
      [;|&\`$(<>](?<!${elementOfText}|${asideOpens})\s{0,3}\/(?:usr\/(?:local\/)?)?s?bin\/${systemProgram}
      |(?:\bcmd|[;|&("']\s{0,3}powershell)(?:\.exe)?\s{1,9}${windowsShellOption}
      |${windowsPlace}
    `,
  }),
  patternRule({
    id: 'cmd-probe-alone',
    category,
    message: 'A letter or a line break, a separator and a command that tells who runs it',
    targets: anywhere.map((part) => (hasFields(part) ? { part, notPath: secrets } : { part })),
    pattern: probeAlone,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-probe-in-secret',
    category,
    message: 'The same where a password is asked for, and none that chance wrote',
    targets: [...fieldParts, 'query' as const].map((part) => ({ part, path: secrets })),
    pattern: verbose('i')`(?!${byChance})${probeAlone}`,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-tool-behind',
    category,
    severity: 'critical',
    message: 'A separator, and behind it a tool of an operator with what it shall do',
    // As a whole value: a job of a pipeline that goes on with '&& docker push' begins with another command.
    pattern: toolBehind(/[\w.:-]{0,40}/),
  }),
  patternRule({
    id: 'cmd-tool-behind-words',
    category,
    severity: 'critical',
    message: 'A few words, a separator and a tool of an operator with what it shall do, where nobody writes',
    // sites keep what was searched for in a cookie
    targets: besideWords([...headParts.filter((part) => part !== 'cookie'), 'form', 'multipart'], shown),
    pattern: toolBehind(/(?:[^\s;|&]{1,40}\s{1,3}){1,4}[^\s;|&]{0,40}/),
  }),
  patternRule({
    id: 'cmd-download-run',
    category,
    severity: 'critical',
    message: 'Something downloaded and run',
    pattern: verbose('i')`
      \b(?:wget|curl|lwp-download|tftp)\s[^\n|;&>]{1,200}(?:
        [|;&]\s{0,9}(?:sudo\s{1,9})?(?:ba|z|k|da)?sh\b
        |&&?\s{0,9}chmod
        |;\s{0,9}chmod
        |>\s{0,9}\/tmp
      )
      |\b(?:wget|curl)\s[^\n]{1,120}-o\s{0,9}\/(?:tmp|var|dev)
    `,
  }),
  patternRule({
    id: 'cmd-pipe-to-shell',
    category,
    severity: 'critical',
    message: 'Text handed to a shell',
    pattern: /\bbase(?:64|32)\s{1,9}(?:-d|--decode|-di)\b|[|]\s{0,9}(?:ba|z|k|da)?sh(?:\s|$|['"`)])/i,
  }),
  ...powershellRules,
  ...windowsRules,
  ...shellGrammarRules,
  patternRule({
    id: 'cmd-option',
    category,
    severity: 'critical',
    message: 'An option that makes a harmless program run another',
    pattern: verbose('i')`
      (?:^|[\s;,&|'"])(?:
        --(?:output(?:-document)?|(?:post|body)-file)=\/
        |--(?:
            checkpoint-action|upload-pack|receive-pack|use-askpass|to-command|use-compress-program|unload-module
          )=\S
        |-o\s{0,3}ProxyCommand\s{0,3}=
        # A host that ssh takes for an option (CVE-2017-1000117)
        |(?:ssh|git|(?:git|svn|hg|bzr)\+ssh):\/\/-\w
        |ext::(?:sh|bash|cmd|\/)
        |-OQueueDirectory\s{0,3}=
        |-X\s{0,3}\/\S{1,80}\.(?:php|phtml|jsp|aspx?)\b
        |-oQ\s{0,3}\/
      )
      |^\s{0,9}-[oO]\s{0,3}\/[\w./-]{1,80}\.(?:php\d?|phtml|jspx?|aspx?|sh|py|pl|so)\s{1,9}(?:https?|ftp):\/\/
    `,
  }),
  patternRule({
    id: 'cmd-option-git',
    category,
    severity: 'critical',
    message: 'A setting of git that names a program, as an option',
    targets: besideTexts(anywhere),
    pattern: verbose('i')`
      (?:^|[\s;,&|'"])(?:--config(?:=|\s{1,3})|-c\s{0,3})(?:
        core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|gitproxy|askpass)\s{0,3}=
        |alias\.\w{1,20}\s{0,3}=\s{0,3}!
        |protocol\.ext\.allow\s{0,3}=
        |(?:diff|merge|filter)\.\w{1,20}\.(?:command|textconv|driver|clean|smudge|process)\s{0,3}=
      )
    `,
  }),
  patternRule({
    id: 'cmd-spreadsheet',
    category,
    message: 'A spreadsheet formula that starts a program',
    pattern:
      /(?:^|[\s,;"'(])[=+@-][^\n]{0,60}\b(?:cmd|powershell|msexcel|mshta)\s{0,9}\|\s{0,9}['"]|\bDDE\s{0,9}\(\s{0,9}"(?:cmd|powershell|mshta)/i,
  }),
  patternRule({
    id: 'cmd-spreadsheet-call',
    category,
    message: 'A spreadsheet formula that sends what a cell holds to an address, or fetches one',
    targets: [
      ...(['query', 'form', 'multipart', 'cookie'] as const).map((part) => ({ part })),
      // interfaces of sheets take formulas in JSON; what is exported later are names and words
      {
        part: 'json',
        path: /(?:^|[._-])(?:\w{1,20}_?name|name|company|title|subject|e?mail|phone|address|city|note|comment|message)$/i,
      },
    ],
    pattern: verbose('i')`
      ^\s{0,9}["']?[=+@-]\s{0,9}(?:[\w$.]{1,30}\(\s{0,3}|[\d$]{1,6}\s{0,3}[-+*/&]\s{0,3}){0,4}(?:
        (?:webservice|importxml|importdata|importhtml|importfeed|importrange)\s{0,9}\(\s{0,9}["'a-z]
        |(?:hyperlink|image)\s{0,9}\([^\n)]{0,120}(?:&\s{0,9}\$?[a-z]{1,3}\$?\d|\bconcat\w{0,10}\s{0,9}\()
      )
    `,
  }),
  patternRule({
    id: 'cmd-parameter',
    category,
    severity: 'critical',
    message: 'A command as the value of a parameter that is named for it, as web shells take',
    targets: (['query', 'form', 'cookie', 'multipart'] as const).flatMap((part) =>
      ['cmd', 'command', 'exec', 'shell', 'system', 'run', '0'].map((name) => ({
        part,
        name,
        of: 'values' as const,
      })),
    ),
    pattern: verbose('i')`
      ^\s{0,3}(?:
        id|ls|dir|pwd|whoami|uname|hostname|ipconfig|ifconfig|netstat|tasklist|systeminfo|cat|type|net\s{1,3}user
        |ls\s{1,3}-\w{1,4}|uname\s{1,3}-\w|phpinfo\(\);?
      )\s{0,3}$
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-batch',
    category,
    severity: 'critical',
    message: 'A loop or condition of the Windows command interpreter',
    pattern: verbose('i')`
      \bfor\s{1,9}(?:\/[dflr]\s{1,9}(?:"[^"]{0,80}"\s{1,9}|[a-z]:\S{0,80}\s{1,9})?){0,4}%{1,2}[^\s%()]\s{1,30}in
      \s{0,9}\(
      |\bif\s{1,20}(?:\/i\s{1,20})?(?:not\s{1,20})?(?:
          ["'[({]?[\w%!~. ]{1,30}["'\])}]?\s{0,9}(?:={2,3}|\b(?:equ|neq|lss|leq|gtr|geq)\b)\s{0,9}[^\s&|;]{1,40}
          |exist\s{1,9}\S{1,60}
          |defined\s{1,9}\w{1,30}
          |errorlevel\s{1,9}\d{1,4}
          |cmdextversion\s{1,9}\d
        )\s{1,20}\(?\s{0,9}@?(?:echo\b|goto\b|cmd\b|call\s|cd\s|del\s|copy\s)
      |\bif\s{1,9}(?:\/i\s{1,9})?(?:not\s{1,9})?(?:
          (?:
            exist\s{1,9}[\w%\\:.*"]{1,80}
            |defined\s{1,9}[\w%]{1,40}
            |errorlevel\s{1,9}\d{1,4}
            |"?%[\w~:-]{1,40}%?"?\s{0,9}(?:==|equ|neq|lss|leq|gtr|geq)\s{0,9}\S{1,80}
          )\s{1,9}\(?\s{0,9}(?:echo|goto|cmd|call|set|cd|del|copy|type|start|exit|net)\b
        )
    `,
  }),
  patternRule({
    id: 'cmd-shellshock',
    category,
    severity: 'critical',
    message: 'A function definition that old bash runs (CVE-2014-6271)',
    pattern:
      // A semicolon parts cookies
      /\(\)\s{0,9}\{\s{0,9}(?::|_|[^}]{0,40});?\s{0,9}\}\s{0,9};|^\s{0,3}\(\)\s{0,3}\{\s{0,3}[:_]\s{0,3}$|\(\)\s{0,9}\{\s{0,9}_;\s{0,9}\}\s{0,9}>_\[/,
  }),
];
