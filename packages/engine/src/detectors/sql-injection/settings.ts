import type { Detector } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { spaced } from './prose.ts';

/** Second statements whose verbs are words of everyday, each with what only a statement has after it. */
const settings = verbose('i')`
  ;[\s;]{0,9}(?:
    set\s{1,9}(?:
      (?:session\s{1,9}|global\s{1,9}|local\s{1,9})?(?:sql_mode|search_path|statement_timeout|max_statement_time)\b
      |(?:role|session\s{1,9}authorization)\s{1,9}\w{1,60}\s{0,9}(?:$|;|--)
      |@{1,2}\w{1,60}(?:\.\w{1,60})?\s{0,9}:?=\s{0,9}(?:['"@(]|0x|\w{1,40}\(|[-\d.]{1,20}\s{0,9}(?:;|--|\#)|select\b|null\b)
      |@@
    )
    |(?:use|listen|notify|desc|describe)\s{1,9}(?!(?:it|up|me|us|this|that|them|to|in|out|all|yours?|mine|now)\b)\w{1,60}\s{0,9};{0,2}(?:--[\s\w-]{0,3}|\#\w?)$
    # Not 'show tables; chairs' and 'show tables in the hall'
    |show\s{1,9}(?:full\s{1,9})?(?:tables|databases|schemas|columns(?=\s{1,9}(?:from|in)\s)|grants(?:\s{1,9}for\s{1,9}[^\s;]{1,60})?|variables|processlist)(?:
        \s{1,9}(?:from|in|like|where)\s{1,9}[^\s;]{1,60}
      ){0,3}\s{0,9};{0,2}\s{0,9}(?:--|\#|$)
    |comment\s{1,9}on\s{1,9}(?:table|column|database|function|role)\s{1,9}[\w.]{1,60}\s{1,9}is\s{0,9}(?:e?'|\$|null)
    |(?:do|execute\s{1,9}immediate)\s{0,9}(?:language\s{1,9}\w{1,20}\s{0,9})?(?:
        e?'\s{0,9}(?:begin|declare|select|insert|update|delete|drop|create|alter|grant)\s[^']{0,200}(?:
          '{2}|[;*(@\d=]|\b(?:from|into|set|table|database|user|role|view|function|on)\s
        )
        |0x[0-9a-f]{8}
        |@\w{1,30}\s{0,9}:=
        |(?:concat|char)\s{0,3}\(
      )
    |explain\s{1,9}(?:analyze\s{1,9})?(?:
        select\s{1,9}(?:[\d*@('"\`]|\w{1,60}\(|[^;]{1,80}\sfrom\s)
        |delete\s{1,9}from\s
        |update\s{1,9}[\w.\`"]{1,60}\s{1,9}set\s
        |insert\s{1,9}into\s
      )
    |vacuum\s{1,9}into\b
    |values\s{0,9}(?:row\s{0,3})?\(\s{0,9}(?:[-\d'"@(\`]|null\b|select\b|\w{1,60}\()[^;]{0,160}\)\s{0,9}(?:--|\#|;|$)
  )
`;

/** The same as the other second statements, behind a gate of two words, for `set` and `use` stand in every other text. */
export const settingDetector: Detector = {
  name: 'sql setting',
  gate: {
    allOf: [
      [';'],
      [
        'set',
        'use',
        'listen',
        'notify',
        'desc',
        'show',
        'comment',
        'do',
        'execute',
        'explain',
        'vacuum',
        'values',
      ],
    ],
  },
  detect: (text) => {
    if (text.length >= 4096) return [];
    const read = spaced(text);
    const found = settings.exec(read);
    if (!found) return [];
    // Where comments were taken out, what was found lies elsewhere in the text.
    const from = read === text ? found.index : text.indexOf(';');
    const end = read === text ? from + found[0].length : text.length;
    return [{ kind: 'setting', span: [from, end] }];
  },
};
