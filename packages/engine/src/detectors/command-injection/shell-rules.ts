import type { Rule } from '../../rules/index.ts';
import { anywhere, detectRule, patternRule } from '../define.ts';
import { type ShellFinding, shellDetector } from './shell-detector.ts';

const category = 'command_injection' as const;

function structure(
  id: string,
  finding: ShellFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity' | 'targets'>> = {},
): Rule {
  return detectRule({
    id: `cmd-${id}`,
    category,
    finding,
    message,
    detector: shellDetector,
    parts: anywhere,
    severity: 'critical',
    ...more,
  });
}

/** Where somebody types; in JSON the name of a command is a tag or a field. */
const typed = (['query', 'form', 'cookie', 'multipart'] as const).map((part) => ({
  part,
  of: 'values' as const,
}));

/** Commands of operating systems. */
export const shellRules: readonly Rule[] = [
  structure('separator', 'command after separator', 'A shell command after a separator'),
  structure('substitution', 'substituted command', 'A command in $(…) or backticks'),
  structure('line', 'command line', 'A command line as a value', { sensitivity: 'medium' }),
  structure('disguised', 'disguised command', 'A command broken up by quotes or escapes'),
  structure('lone', 'lone command', 'The bare name of a reconnaissance command', {
    score: 3,
    sensitivity: 'medium',
    targets: typed,
  }),
  structure('lone-substitution', 'lone substitution', 'A short command in $(…) or backticks', {
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-reverse-shell',
    category,
    severity: 'critical',
    message: 'A shell that calls back',
    pattern:
      /\/dev\/(?:tcp|udp)\/|\b(?:ba|z|k|da)?sh\s{1,9}-i\b|\b\d?>&\s{0,9}\/dev\/|\b0[<>]&\d|\bn(?:et)?c(?:at)?(?:\.\w{2,12})?\s{1,9}[^\n]{0,60}-[a-z]{0,3}e\s{0,9}['"]?(?:\/bin|cmd|powershell|bash|sh\b)|\bmkfifo\s{1,9}\/|\bsocat\s{1,9}[^\n]{0,60}exec:|\b(?:python\d?(?:\.\d)?|perl|ruby|php|node|lua)\s{1,9}-(?:c|e|r|rsocket)\s{0,9}['"]/i,
  }),
  patternRule({
    id: 'cmd-interpreter-path',
    category,
    severity: 'critical',
    message: 'The path of a shell or system program',
    pattern:
      /(?:^|[^\w.])\/(?:usr\/(?:local\/)?)?s?bin\/(?:(?:ba|z|k|da|c|tc)?sh|cat|id|ls|nc|ncat|wget|curl|python\d?|perl|ruby|php|whoami|uname|ping|ps|rm|chmod|echo|sleep|touch|env|telnet|nslookup)\b|\b(?:cmd|powershell)(?:\.exe)?\s{1,9}(?:\/[ckr]\b|-(?:e|enc|encodedcommand|nop|noprofile|c|command|w|ex|ep|exec)\b)|\b[a-z]:\\windows\\system32\\|%comspec%|%systemroot%/i,
  }),
  patternRule({
    id: 'cmd-field-separator',
    category,
    severity: 'critical',
    message: 'Spaces written as $IFS or braces to pass filters',
    pattern:
      /\$(?:\{IFS\b[^}]{0,20}\}|IFS\b)|\{(?:cat|ls|nc|curl|wget|ping|echo|bash|sh|rm|touch|base64|head|tail|id),[^\s{}]{1,80}\}|\$\{(?:PATH|HOME|PWD|SHELL|IFS|OLDPWD)(?::|\/|%|#)|\$'\\(?:x[0-9a-f]{2}|[0-7]{3})|\$\(\(\s{0,9}\d/i,
  }),
  patternRule({
    id: 'cmd-download-run',
    category,
    severity: 'critical',
    message: 'Something downloaded and run',
    pattern:
      /\b(?:wget|curl|fetch|lwp-download|tftp)\b[^\n]{1,300}(?:[|;&]\s{0,9}(?:sudo\s{1,9})?(?:ba|z|k|da)?sh\b|&&?\s{0,9}chmod|;\s{0,9}chmod|-o\s{0,9}\/(?:tmp|var|dev)|>\s{0,9}\/tmp)|\bbase64\s{1,9}(?:-d|--decode)\b|\|\s{0,9}(?:ba|z|k|da)?sh(?:\s|$|['"`)])|\bcertutil(?:\.exe)?\s[^\n]{0,60}-(?:urlcache|decode)|\b(?:iex|invoke-expression|invoke-webrequest|iwr)\s{0,9}[(\s]|net\.webclient|downloadstring\s{0,9}\(|downloadfile\s{0,9}\(|\bbitsadmin\s{1,9}\/|frombase64string\s{0,9}\(/i,
  }),
  patternRule({
    id: 'cmd-wildcards',
    category,
    severity: 'critical',
    message: 'A program or file written with wildcards',
    pattern:
      /(?:^|[\s;|&`$(])\/(?=[\w?*[\]]{0,12}[?*])(?:[\w?*[\]-]{1,12}\/){1,3}[\w?*[\]-]{1,16}(?=[\s;|&`)$<>]|$)/,
    gate: { allOf: [['/'], ['?', '*'], [' ', ';', '|', '&', '`', '$', '/?']] },
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-shellshock',
    category,
    severity: 'critical',
    message: 'A function definition that old bash runs (CVE-2014-6271)',
    pattern:
      /\(\)\s{0,9}\{\s{0,9}(?::|_|[^}]{0,40});?\s{0,9}\}\s{0,9};|\(\)\s{0,9}\{\s{0,9}_;\s{0,9}\}\s{0,9}>_\[/,
  }),
];
