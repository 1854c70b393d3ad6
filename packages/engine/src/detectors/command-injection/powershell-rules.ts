import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { headParts, patternRule } from '../define.ts';

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
      (?:[;&({]\s{0,9}|\bpowershell(?:\.exe)?\s{1,9}|^\s{0,9}\|\s{0,9})(?:
        get|set|new|invoke|start|stop|remove|add|out|import|export|copy|move|select
      )-(?:
        childitem|content|process|service|item(?:property)?|webrequest|expression|restmethod|command|object
        |wmiobject|ciminstance|eventlog|localuser|localgroupmember|bitstransfer|mppreference|executionpolicy
        |scheduledtask|netfirewall(?:rule|profile)|aduser|adcomputer|adgroupmember|wmimethod
      )\b(?!(?<=\bpowershell\s[a-z]{3,9}-[a-z]{4,20})(?:\s[a-z]{2,14}){1,6}$)
      |\[(?:system\.|net\.|io\.|text\.encoding|convert|reflection\.)[\w.]{0,60}\]::\w
    `,
    gate: {
      allOf: [
        [
          'get-',
          'set-',
          'new-',
          'invoke-',
          'start-',
          'stop-',
          'remove-',
          'add-',
          'out-',
          'import-',
          'export-',
          'copy-',
          'move-',
          'select-',
          ']::',
        ],
      ],
    },
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
];
