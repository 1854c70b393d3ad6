import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, patternRule } from '../define.ts';
import { besideTexts, besideWords, writing } from '../text-fields.ts';
import { telling } from './command-fields.ts';

const category = 'command_injection' as const;

/** A drive, a share or a variable, which is how a place is named on Windows and in no sentence. */
const place = /["']?(?:[a-z]:\\|\\\\[\w.-]{1,60}\\|%\w{2,30}%\\)/;
/** Commands that tell something and are words of English. */
const told = verbose('i')`
  (?:
    query\s{1,3}(?:user|session|process|termserver)
    |net\s{1,3}(?:start|accounts|session|share|view)
    |route\s{1,3}print
    |sc(?:\.exe)?\s{1,3}query(?:ex)?
    |vol\s{1,3}[a-z]:
    |(?:quser|qwinsta|driverquery|getmac|gpresult|nbtstat|klist|cmdkey|wbadmin|msinfo32)(?:\.exe)?
  )
`;

/** What only PowerShell takes for a statement. */
const statement = verbose('i')`
  (?:
    start-sleep\s{1,3}(?:-\w{1,12}\s{1,3})?\d
    |(?:gwmi|gcim|saps|gci|gc|irm|iwr|sls|gps|gsv)\s{1,3}(?:[a-z]:\\|win32_|-[a-z]|https?:|\w{1,20}\.exe)
    |(?:resolve-dnsname|test-(?:net)?connection|out-file|set-content|add-content|add-type|import-module|invoke-\w{4,12}|convertfrom-\w{3,12}|get-(?:local\w{4,12}|ad\w{4,12}|net\w{4,20}|acl|psdrive|smbshare|hotfix))\s{1,3}[\w.'"$\\-]
    |\$env:\w
    |[&.]\s{0,2}\(\s{0,2}(?:['"$]|gcm\b|get-command\b)
    |[&.]\s{1,2}(?:'[\w.-]{1,30}'|"[\w.-]{1,30}")\s{0,3}(?:$|[;|&-])
    |\[(?:system\.)?(?:diagnostics|io|net|reflection|environment|convert|activator)[\w.]{0,60}\]::\w
    |\$\w{1,16}\s?=\s?[^;\n]{1,60};[^\n]{0,60}(?:[&.]\s?\(?\s?\$\w|\biex\b)
    |[^;\n]{1,80}\|\s{0,3}(?:iex|invoke-expression|out-file\s{1,3}\S{1,80})\s{0,3}(?:$|[;#"'])
  )
`;

/** A `name` may be that of a book: 'Tour & route print'. */
const toldOrTitled = new RegExp(`${telling.source}|(?:^|[._[-])name\\]?$`, 'i');
const shownCode = new RegExp(`${writing.source}|(?:^|[._[-])(?:code|steps?|lines?)\\]?$`, 'i');
/** Guides show such lines, and documents of deployments hold them. */
const targets = [
  ...besideTexts(
    anywhere.filter((part) => part !== 'json' && part !== 'xml'),
    shownCode,
  ),
  ...besideTexts(['json', 'xml'], telling),
];

/** Commands of cmd.exe and PowerShell behind another, told by what only Windows gives them. */
export const windowsRules: readonly Rule[] = [
  patternRule({
    id: 'cmd-windows-behind',
    category,
    severity: 'critical',
    message: 'A command of Windows behind a separator, with an option or a place of Windows',
    targets,
    // cmd.exe parts commands with & and | alone: words of English behind `;` are none
    pattern: verbose('i')`
      [&|]\s{0,3}[@(]?\s?(?:
        (?:
          type|copy|move|del|erase|ren|md|mkdir|rd|rmdir|cd|dir|attrib|more|start|call|xcopy|robocopy|expand|takeown|find
          |print|mklink|subst|pushd|where|vol|fc|replace
        )\s{1,3}(?:\/[a-z]{1,2}\s{1,3}){0,4}${place}
        |(?:rd|rmdir)\s{1,3}\/[sq]\b
        |(?:del|erase)\s{1,3}\/[fsqa]\b
        |attrib\s{1,3}[+-][rhsa]\b
        |start\s{1,3}\/(?:b|min|max|wait)\b
        |(?:echo|type|set|dir|ver|more)\s[^\n&|<>]{1,80}>{1,2}\s{0,3}${place}
        |sc(?:\.exe)?\s{1,3}(?:create|config)\s{1,3}\w{1,40}\s{1,3}\w{1,12}=
        |(?:driverquery|getmac|gpresult|nbtstat|cmdkey|wbadmin)(?:\.exe)?\s{1,3}[/-][a-z]{1,6}\b
        |${told}\s{0,3}[&|]
      )
      # words stand before these in titles: 'Tour & route print'
      |^(?:[\d.]{1,20}["')]{0,2}|["')]{1,2})\s{0,3}[&|]{1,2}\s{0,3}${told}\s{0,3}(?:$|["'>])
    `,
  }),
  patternRule({
    id: 'cmd-windows-runs-another',
    category,
    severity: 'critical',
    message: 'A program of Windows that runs another, behind a separator',
    targets,
    pattern: verbose('i')`
      [&|;]\s{0,3}(?:
        (?:pcalua|odbcconf|hh|msbuild|installutil|regasm|regsvcs|esentutl|extrac32|makecab|diskshadow|msdt|cmstp|msiexec|expand|fsutil|forfiles)
        (?:\.exe)?\s{1,3}(?:[/-][a-z]{1,12}(?![\w-])|${place}|https?:)
        |fsutil\s{1,3}(?:volume|fsinfo|file|usn|behavior|hardlink)\s
      )
    `,
  }),
  patternRule({
    id: 'cmd-windows-spliced',
    category,
    severity: 'critical',
    message: 'The name of a command of Windows with a variable spliced into it',
    // `cm%OS:~0,0%d`, `c%x%md /c`: both vanish, and the name is left
    pattern: verbose('i')`
      (?:^|[&|;\s])[a-z.]{1,12}(?:
        %[a-z]\w{1,30}:~\s?-?\d{1,3}(?:,-?\d{1,3})?%[a-z]{1,12}
        |%\w{1,12}%[a-z]{1,8}(?:\.exe)?\s{1,3}\/[ck]\s
      )
    `,
  }),
  patternRule({
    id: 'cmd-powershell-encoded',
    category,
    severity: 'critical',
    message: 'A command of PowerShell in base64 of UTF-16',
    // Two letters of ASCII, each with a zero behind it, take eight characters, of which the fifth and the last are A.
    pattern: verbose()`
      (?:^|[\s"',[])[-/](?:[eE][cC]?|[eE][nN][cC]|[eE][nN][cC][oO][dD][eE][dD][a-zA-Z]{1,7})\s{1,3}["']?
      (?:[\w+/]{2}[A-D][\w+/]A[\w+/]{2}A){2}
    `,
    parts: [...anywhere],
  }),
  patternRule({
    id: 'cmd-powershell-value',
    category,
    severity: 'critical',
    message: 'A value, and right behind it a statement that only PowerShell takes',
    // Whole scripts and sentences begin otherwise; an injection stands behind the argument that its host wrote. A word may be
    // one of a title: 'Rock; sls -a'.
    pattern: verbose('i')`
      ^(?![a-z\x80-\xff]{2,40}\s{0,3}[;|&])[^\s;|&]{0,40}["')]{0,2}\s{0,3}[;|&]{1,2}\s{0,3}${statement}
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-windows-argument',
    category,
    severity: 'critical',
    message: 'A command of Windows or PowerShell behind an argument',
    targets: besideWords(anywhere, toldOrTitled),
    pattern: verbose('i')`
      [&|]\s{0,3}${told}\s{0,3}(?:$|["'>])
      |^[a-z\x80-\xff]{2,40}\s{0,3}[;|&]{1,2}\s{0,3}${statement}
    `,
    sensitivity: 'medium',
  }),
];
