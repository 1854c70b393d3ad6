import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { headParts, patternRule } from '../define.ts';
import { commandTargets } from './command-fields.ts';

const category = 'command_injection' as const;

/** The shell of Windows, which names its commands unlike others. */
export const powershellRules: readonly Rule[] = [
  patternRule({
    id: 'cmd-powershell',
    category,
    severity: 'critical',
    message: 'PowerShell or a Windows tool that downloads and runs',
    pattern: verbose('i')`
      \bcertutil(?:\.exe)?\s[^\n]{0,60}-(?:urlcache|decode)
      |\b(?:iex|invoke-expression|invoke-webrequest|iwr)\s{0,9}[(\s]['"$(a-z-]
      |net\.webclient
      |downloadstring\s{0,9}\(
      |downloadfile\s{0,9}\(
      |\bbitsadmin\s{1,9}\/
      |frombase64string\s{0,9}\(
      |\bmshta(?:\.exe)?\s{1,9}['"]?(?:https?:|vbscript:|javascript:|\\\\)
      |\bregsvr32(?:\.exe)?\s[^\n]{0,60}\/i:
      |\b(?:rundll32|wmic|msiexec|installutil|cmstp|odbcconf)(?:\.exe)?\s[^\n]{0,80}(?:
          https?:|\\\\[\w.-]{1,60}\\|javascript:
        )
    `,
  }),
  patternRule({
    id: 'cmd-powershell-cmdlet',
    category,
    severity: 'critical',
    message: 'A PowerShell cmdlet behind a separator, or a call into .NET',
    pattern: verbose('i')`
      (?:[;&({]\s{0,9}|(?!(?<=(?:^|\n)\`{3})powershell\r?\n)\bpowershell(?:\.exe)?\s{1,9}|^\s{0,9}\|\s{0,9})(?:
        get|set|new|invoke|start|stop|remove|add|out|import|export|copy|move|select
      )-(?:
        childitem|content|process|service|item(?:property)?|webrequest|expression|restmethod|command|object
        |wmiobject|ciminstance|eventlog|localuser|localgroupmember|bitstransfer|mppreference|executionpolicy
        |scheduledtask|netfirewall(?:rule|profile)|aduser|adcomputer|adgroupmember|wmimethod
      )\b(?!(?<=\bpowershell\s[a-z]{3,9}-[a-z]{4,20})(?:\s[a-z]{2,14}){1,6}$)
      |\[(?:system\.|net\.|io\.|text\.encoding|convert|reflection\.)[\w.]{0,60}\]::\w
    `,
  }),
  patternRule({
    id: 'cmd-powershell-line',
    category,
    severity: 'critical',
    message: 'A PowerShell cmdlet as a value',
    parts: headParts,
    pattern: verbose('i')`
      (?:^\s{0,9}|\|\s{0,9})(?:get|set|new|invoke|start|stop|remove|add|out|import|export|copy|move|select)-(?:
        childitem|content|process|service|item(?:property)?|webrequest|expression|restmethod|command|object
        |wmiobject|ciminstance|eventlog|localuser|localgroupmember|bitstransfer
      )\b
    `,
  }),
  patternRule({
    id: 'cmd-powershell-hidden',
    category,
    severity: 'critical',
    message: 'A command of PowerShell put together from pieces, or cut out of a variable of cmd.exe',
    targets: commandTargets,
    // `& ('i'+'ex')`, `.(gcm i*x)`, `[char]105+[char]101`, `| %{& $_`, `%ProgramFiles:~10,1%`
    pattern: verbose('i')`
      (?:^|[;|&'"])\s{0,3}[&.]\s{0,2}\(\s{0,2}(?:['"][^'"\n]{1,20}['"]\s{0,3}(?:\+|-f)|gcm\b|get-command\b)
      |\[char\]\s?\(?\d{1,3}\)?\s{0,3}\+\s{0,3}\[char\]
      |\|\s{0,3}%\s{0,3}\{\s{0,3}&\s{0,3}\$
      |%[a-z]\w{1,30}:~\s?-?\d{1,3}(?:,-?\d{1,3})?%
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-powershell-second',
    category,
    severity: 'critical',
    message: 'A second statement of PowerShell, by a short name or with what only it takes',
    parts: headParts,
    pattern: verbose('i')`
      [;|]\s{0,3}(?:
        start-sleep\s{1,3}(?:-(?:s|seconds|m|milliseconds)\s{1,3})?\d
        |(?:gwmi|gcim|saps|gci|gc|irm|iwr)\s{1,3}(?:[a-z]:\\|win32_|-|https?:|\w{1,20}\.exe|calc\b)
        |add-type\s{1,3}-
        |import-module\s{1,3}[\w\\.]
        |\$env:\w
      )
      |\$\(\s{0,3}\$env:\w
      |[&|]\s{0,3}(?:powershell|pwsh)(?:\.exe)?\s{1,3}(?:whoami|hostname|ipconfig|get-\w|dir\s|iex\b)
    `,
    sensitivity: 'medium',
  }),
];
