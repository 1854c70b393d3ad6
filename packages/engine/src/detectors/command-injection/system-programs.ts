import { verbose } from '../../verbose.ts';

/** Programs of Unix that an injection names by their path. */
export const systemProgram = verbose('i')`
  (?:
    (?:ba|z|k|da|c|tc)?sh|cat|id|ls|nc|ncat|wget|curl|python\d?|perl|ruby|php|whoami|uname|ping|ps|rm|chmod|echo
    |sleep|touch|env|telnet|nslookup
  )\b
`;

/** What only a shell of Windows is told, behind its name. */
export const windowsShellOption = verbose('i')`
  (?:
    \/[ckr]\b
    |-(?:
        e|enc|encodedcommand|nop|noprofile|noni|noexit|c|command|w|windowstyle|ex|ep|exec|executionpolicy|f|file|sta
        |version
      )\b
  )
`;

/** Where Windows keeps its programs and settings. */
export const windowsPlace = verbose('i')`
  \b[a-z]:\\windows\\system32\\(?:
    cmd|config|inetsrv|windowspowershell|winevt|wbem|net1?|mshta|rundll32|calc|whoami|certutil|regsvr32
    |reg
  )\b
  |%comspec%
  |%systemroot%
`;
