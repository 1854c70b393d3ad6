import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule } from '../define.ts';
import { asideOpens, wordEnd } from '../prose.ts';
import { commandTargets, unexpectedTargets } from './command-fields.ts';
import { endingCommands, plainCommands } from './commands.ts';

const category = 'command_injection' as const;
const targets = [...commandTargets, ...unexpectedTargets];
/** Words that run by themselves and are no words of a sentence. */
const runAlone = new RegExp(
  `(?:${['env', 'hostname', 'uptime', ...endingCommands, ...plainCommands].filter((name) => /^[a-z]+$/.test(name)).join('|')})\\b`,
);

/**
 * What only the grammar of a shell holds, whatever command it runs: POSIX Shell Command Language §2.9 and bash(1), and
 * so no list of commands has to know it. Scripts that people show each other hold the same, hence the targets.
 */
export const shellGrammarRules: readonly Rule[] = [
  patternRule({
    id: 'cmd-compound',
    category,
    severity: 'critical',
    message: 'A condition, loop or case of a shell, whole',
    targets,
    pattern: verbose()`
      (?:^|[;&|\n(\`{!'"])\s{0,3}(?:if|elif|while|until|for|select)\s(?:(?![;&]\s{0,3}(?:then|do)\s)[^\n]){1,160}[;\n&]\s{0,3}(?:
        then\s[^\n]{1,160}?[;\n&]\s{0,9}fi
        |do\s[^\n]{1,160}?[;\n&]\s{0,9}done
      )(?![\w-]|\s[a-z])
      |\bcase\s{1,3}\S{1,30}\s{1,3}in\s{1,3}\(?[^()\s]{1,20}\)(?:[^\n]|\\\n){1,120};;?\s{0,3}esac\b
      |\btrap\x20{1,3}(?:--\s)?(?!['"](?!${runAlone})[a-z]{3,20}['"])(?:'[^'\n]{1,80}'|"[^"\n]{1,80}")\s{1,3}(?:EXIT|DEBUG|ERR|RETURN|0)\b
    `,
  }),
  patternRule({
    id: 'cmd-variable-run',
    category,
    severity: 'critical',
    message: 'A shell variable that is set and then run',
    targets,
    pattern: verbose()`
      (?:^|[;&|\n(\`{]|\s(?=read\s|printf\s))\s{0,9}(?:
        (?:(?:export|declare|typeset|readonly|local|printf\s{1,3}-v|read|mapfile)\s{1,3}(?:-\w\s{1,3})?)?
        ([A-Za-z_]\w{0,63})(?:=|\s{0,3}<{1,3}|\s{1,3}['"%])
      )(?:
        '[^'\n]{0,80}'|"[^"\n]{0,80}"|\([^()\n]{1,80}\)|[^\s;&|'"()]
      ){0,160}\s{0,3}[;&\n]{1,2}(?:[^\n]{0,80}?[;&|\n(\`{]|(?:[^\n]{0,40}?\b)?eval)?\s{0,3}\w{0,8}"?\$\{?!?\1\b
    `,
  }),
  patternRule({
    id: 'cmd-arguments-run',
    category,
    severity: 'critical',
    message: 'Words that are made the arguments of a shell and then run',
    targets,
    // 'set menu; $1' is a price.
    pattern: verbose()`
      (?:^|[;&|\n(\`])\s{0,3}set[ \t]{1,3}
      (?!(?:(?!${runAlone})[a-z]{3,12}[ ]?){1,3}[;|]\s\$1\s{0,3}$)
      (?:--\s{1,3})?(?:[^;&|\n]|\\\n){1,60}[;&|\n]{1,2}\s{0,3}"?\$(?:1(?![.,\d]|\s{1,3}[a-z]{2})|[@*]|\{[1@*]\})
    `,
  }),
  patternRule({
    id: 'cmd-function-run',
    category,
    severity: 'critical',
    message: 'A shell function or alias that is defined and then run',
    targets,
    pattern: verbose()`
      (?:^|[;&|\n(\`\s])(?:function\s{1,3})?([\w:]{1,64})\s?\(\)\s{0,3}[{(]\s{0,3}(?:[^{}\n]|\$\{[^{}\n]{0,40}\}){1,120}[;&\s][})]\s?[;&|\n]{1,2}\s{0,3}\1\s{0,3}
      (?:$|[;&|\n\#'"\`)])
      |\bfunction\s{1,3}([\w:]{1,64})\s{1,3}\{\s(?:[^{}\n]|\$\{[^{}\n]{0,40}\}){1,120};\s{0,3}\}\s?[;&|\n]{1,2}\s{0,3}\2\b
      |(?:^|[;&|\n]\s{0,3})alias\s{1,3}(\w{1,64})=(?:['"\\$][^\n]{1,80}?[;\n]|[^;\n]{1,80}\n)\s{0,3}\3\b
    `,
  }),
  patternRule({
    id: 'cmd-read-script',
    category,
    severity: 'critical',
    message: 'A shell that reads its commands from the output of another command',
    targets,
    pattern: verbose()`
      (?:^|[;&|\n(\`])\s{0,3}(?:\.|source)\s{1,3}(?:<\(|\/dev\/(?:stdin|fd\/\d|tcp\/))
      |\b(?:BASH_ENV|ENV|PROMPT_COMMAND|LD_PRELOAD)=[^\s;&|]{1,80}[\s;&|]{1,3}\S{0,20}\bsh\b
      |\b(?:ba|z|k|da)?sh\x20{0,2}(?:<{2}-?\s{0,3}['"]?[A-Za-z]{1,12}['"]?\n|<{3}|<\s{0,3}<\()
    `,
  }),
  patternRule({
    id: 'cmd-control-flow',
    category,
    severity: 'critical',
    message: 'A shell condition, loop, redirection or variable that runs a command behind a separator',
    pattern: verbose()`
      [;&|\n]\s{0,3}(?:
        if\s{1,3}\[{1,2}\s
        |for\s{1,3}\w{1,20}\s{1,3}in\s[^;\n]{1,80};\s{0,3}do[ \t]
        |(?:while|until)\s{1,3}[^;\n]{1,40};\s{0,3}do[ \t]
        |>{1,2}\s{0,3}\/(?:tmp|var|etc|dev|home|usr)\/
        |(?:echo|printf|cat)\s[^;|&\n<>]{1,80}>{1,2}\s{0,3}\/(?:tmp|var|etc|dev|home|usr|srv|opt)\/
      )
      |\$(?:SHELL|BASH|0)\s{1,3}-c\s
      |\$(?:SHELL|BASH|0)\s{0,3}<<<
      |@\((?:id|whoami|uname|ls)\)
    `,
  }),
  patternRule({
    id: 'cmd-wildcards',
    category,
    severity: 'critical',
    message: 'A program or file written with wildcards',
    pattern: verbose()`
      (?:^|[;|&\`$(](?<!${asideOpens})|(?<!${wordEnd})\s)(?!(?:\/\w{1,8}){1,3}\/\[\w-\w\][+*]?(?:\s|$))\/(?=[\w?*[\]/-]{0,40}[a-z?])(?=
        [\w?*[\]]{0,12}[?*]
        |\[[\w-]{1,12}\]\w{0,8}\/\w
        |(?:s?bin|usr|etc|tmp|dev|proc|var|home|opt)\/[\w/]{0,20}[?*[]
      )(?:[\w?*[\]-]{1,12}\/){1,3}[\w?*[\]-]{1,16}(?=[\s;|&\`)$<>]|$)
    `,
    gate: { allOf: [['?', '*', '['], ['/']] },
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'cmd-variables',
    category,
    severity: 'critical',
    message: 'A command put together from shell variables',
    pattern: verbose('i')`
      (?:^|[;&|])\s{0,9}[a-z]\w{0,10}=[^\s;&|]{1,30}[;&]{1,2}[^\n]{0,80}[;&|]\s{0,9}\$\{?\w{1,11}\}?\$\{?\w
      |[;&|]\s{0,9}(?:(?:export|declare|typeset|readonly|local)\s{1,3})?[a-z]\w{0,10}=[\w/.-]{2,30}\s{0,3}
        [;&]{1,2}\s{0,9}\$\{?[a-z]\w{0,10}\}?\s{0,9}(?:$|[;|&])
    `,
  }),
  patternRule({
    id: 'cmd-field-separator',
    category,
    severity: 'critical',
    message: 'Spaces written as $IFS or braces to pass filters',
    pattern: verbose()`
      (?<=[\w'"}/)])\$(?:\{IFS\b[^}]{0,20}\}|IFS\b)
      |\$(?:\{IFS\b[^}]{0,20}\}|IFS(?:\$\d)?)(?=[\w/'"$\\;|&<>{-]|\.\w)
      |\{(?:cat|ls|nc|curl|wget|ping|echo|bash|sh|rm|touch|base64|head|tail|id),[^\s{}]{0,80}\}
      |\$\{(?:PATH|HOME|PWD|SHELL|IFS|OLDPWD)(?::|\/|%|#)
      |\$'\\(?:x[0-9a-fA-F]{2}|[0-7]{3})
      |\$\(\(\s{0,9}\d{1,9}\s{0,3}(?:[-+*/%&|^<>]|\)\))
    `,
  }),
];
