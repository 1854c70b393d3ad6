import { verbose } from '../../verbose.ts';
import { spaced } from './prose.ts';

/** The verbs of a second statement, each with what only a statement has after it: `; call me` and `; drop by` have not. */
const stackedForms = verbose('i')`
  (?:^|;)[\s(]*(?:\/\*.{0,20}?\*\/\s*)?(?:
    select\s*(?:
      [\d@('*\`~+-]
      |\/\*
      |[\w.]{1,60}\s*(?:\(|,[^;\n]{1,80}\sfrom\s)
      |(?:null|all|distinct|top|case|if|(?:current_|session_)?user|version|database|schema)\b
      |into\s+@
      |[\w.*]{1,60}\s+(?:into\s+\w+\s+)?from\s+[\w.\`"[\]]{1,60}\s*(?:
          $
          |[;,)#]
          |--
          |\/\*
          |\b(?:where|limit|order|group|join|union|for)\b
        )
    )
    |waitfor\s+(?:delay|time)\b\s*\(?\s*(?:['"@\d]|$|;|--|\/\*|\+|convert|cast|char)
    |(?:drop|create|alter)\s+(?:or\s+replace\s+)?(?:temp\w*\s+|unique\s+|global\s+|public\s+|virtual\s+)?(?:
        table|database|schema|function|trigger|view|login|role|extension|index|user|procedure|proc|sequence
        |session|system|synonym|package|type|assembly|tablespace|server|event|column
      )\s+(?!reserv|for\b|of\b|if\s+exists\s*(?:-|$))[\w"'\`[#@]
    |create\s+(?:or\s+replace\s+)?(?:rule|operator|domain)\s+[\w."=<>]+\s*(?:\(|as\b)
    |(?:drop|alter)\s+(?:rule|operator|domain)\s+(?:if\s+exists\s+)?[\w."]+\s*(?:
        ;|--|\#|\(|\b(?:on|cascade|restrict|add|drop|set|owner\s+to|rename\s+to|validate)\b
      )
    |(?:truncate|rename)\s+(?:table\s+)?[\w.\`"[\]]+\s*(?:$|;|--|#|to\b)
    |(?:insert|replace|merge)\s+(?:or\s+\w+\s+)?(?:into\s*)?[\w.\`"[\]]+\s*(?:
        \(|values?\b|select\b|set\b|default\s+values\b|(?:\w+\s+)?using\s
      )
    |(?:insert|replace)\s+(?:ignore|delayed|low_priority|high_priority)\s+(?:into\s*)?[\w.\`"[\]]+\s*(?:
        (?:\([\w\s,.\`"-]{0,160}\)\s*)?(?:values?\b|select\b|set\b)
      )
    |update\s+(?:or\s+\w+\s+|ignore\s+|low_priority\s+|only\s+)?[\w.\`"[\]]+\s+set\b
    |delete\s+(?:quick\s+|ignore\s+|low_priority\s+)?from\s*(?:only\s+(?=[\w.]+\s*(?:;|--|#|where\b)))?[\w.\`"[\]]+\s*(?:$|;|--|#|where\b)
    |with\s+\w+(?:\s*\([\w,\s]{1,60}\))?\s+as\s*\(\s*(?:select|delete|insert|update|values)\b
    |delete\s+(?<one>[\w.]+)\s+(?:where\b|from\s+(?:(?:[\w.]+\s+(?:as\s+)?)?\k<one>\b|[\w.]+\s*(?:--|#|where\b)))
    |(?:grant|revoke)\s+[\w\s,]{1,60}\s(?:on|to)\b
    |exec(?:ute)?\s*(?:
        \(\s*['"@]|@\w|immediate\b|['"]|(?:xp|sp)_\w+\s*(?:$|[;'"@\d(,-])|[\w.[\]]+\.\.?[\w[\]]+
        |[a-z_]\w*\s*(?:$|[;@]|--|['"](?![?.!,:)]?(?:\s[a-z]|$)|(?:[dmst]|ll|re|ve)\s[a-z]))
      )
    |declare\s+(?:@\w|\w+\s+(?:n?varchar|n?char|int|integer|cursor|table|sysname|number|text)\b)
    |shutdown\s*(?:$|;|--|with\b)
    |reconfigure\b
    |call\s+[\w.]+\s*(?:\(|--|#)
    |copy\s+(?:\(|[\w.]+\s*(?:\([\w\s,]+\)\s*)?(?:from|to)\s)
    |begin\s+(?:not\s+atomic|tran|transaction|declare|dbms_|user_lock|exec|select|perform|\w+\.\w)
    |prepare\s+\w+\s+(?:from|as)\b
    |attach\s+(?:database\s+)?['"]
    |handler\s+\w+\s+(?:open|read)\b
    |bulk\s+insert\b
    |pragma\s+\w+
    |do\s+sleep\s*\(
    |do\s*(?:language\s+\w+\s*)?\$\w*\$
    # '; if you can then call me', '; begin; delete the rest'
    |(?:if\s+[^;]{1,80}\bthen|begin\s*;)\s+(?:
        select\s*(?:[@('*\`]|\d+\s*(?:$|[;,)#]|--|into\b|else\b|end\b)|[\w.]+\(|[\w.*,\s]{1,60}\sfrom\s)
        |insert\s+into\s
        |update\s+[\w.\`"]+\s+set\s
        |delete\s+from\s
        |(?:drop|create|alter)\s+(?:or\s+replace\s+)?(?:
            table|database|schema|user|role|view|function|procedure|trigger|index|extension
          )\s
        |exec(?:ute)?\s*(?:['@(]|immediate\b|[\w.]+\s*(?:$|[;'@]|--))
        |(?:call|perform)\s+[\w.]+\(
        |set\s+@?\w+\s*:?=
      )
    |execute\s+immediate\b
    |lock\s+tables?\s+\w+\s+(?:read|write)
    |load\s+data\s+(?:local\s+)?infile
    |case\s+when\b
    |kill\s+(?:query\s+)?\d+\s*(?:--|#|;)
  )
  |\b(?:xp|utl|dbms)_\w{3,20}\s*['"(.]
  |\bmaster\.\.?
  |\bsp_(?:oa\w+|executesql|configure|addextendedproc|password|makewebtask)\b
`;

/** `delete from only t`, `drop domain d`: words of everyday, and a statement behind a number or a quote alone. */
const everydayForms =
  /^[;\s(]{0,6}(?:delete\s+from\s+only\s|(?:drop|create|alter)\s+(?:rule|operator|domain)\s)/i;
const endsValue = /^[\s(-]{0,4}\d[\d.\s)]{0,12}$|['"][)\s]{0,4}$/;

/** Whether what was found, a statement behind another, begins as one and is no prose. */
export function stackedIsReal(matched: string, text: string): boolean {
  const at = text.indexOf(matched);
  const second = at < 0 ? matched : text.slice(at, at + matched.length + 160);
  if (stackedForms.test(spaced(second))) return true;
  return everydayForms.test(second) && endsValue.test(text.slice(0, Math.max(0, at)));
}
