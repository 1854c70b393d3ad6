import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { headParts, patternRule } from '../define.ts';
import { besideDocuments } from '../text-fields.ts';

const category = 'sql_injection' as const;

/** Names of fields that hold statements, programs and what those print, in consoles and editors. */
const consoles = verbose('i')`
  (?:^|[._[-])(?:
    \w{0,20}so?ql\w{0,20}|(?:\w{1,20}_?)?quer(?:y|ies)\w{0,12}|statements?|stmts?|commands?|cmd|scripts?|code|source|cells?|snippet
    |expr(?:ession)?|definition|migration|up|down|ddl|dml|editor|input|data|payload|file|rule|logs?|lines?|outputs?|errors?
    |run|exec|template|trigger|procedure|before|after|old|new|diff|patch|answer
  )(?:[.[]\d{1,4}\]?)?\]?$
`;
/** Of the fields of a body those that hold a short value and no statement. */
const besideConsoles = besideDocuments(['form', 'multipart', 'json', 'xml'], consoles);

/** Where Salesforce is asked no query of its language. */
export const besideObjectQueries = [
  ...headParts.map((part) => (part === 'query' ? { part, notPath: /^(?:q|query|soql)$/ } : { part })),
  ...besideConsoles,
];

const name = /["'`[]?[a-z_][\w.$"`[\]]{0,80}/;

/** A statement that changes data and is the whole value: whoever runs what such a field holds runs anybody's. */
export const wholeChangeRules: readonly Rule[] = [
  patternRule({
    id: 'sql-whole-change',
    category,
    message: 'A whole statement that changes data or tables, where no query is asked for',
    targets: besideConsoles,
    sensitivity: 'medium',
    // of InfluxDB, whose parameter is called `q` as well: a range of `time`
    pattern: verbose('i')`
      ^[\s;(]{0,9}(?:
        (?:insert|replace)\s{1,9}(?:ignore\s{1,9})?into\s{1,9}${name}\s{0,9}(?:\([\w\s,."\`[\]]{1,400}\)\s{0,9})?(?:
          values?\s{0,9}\([\s\S]{1,2000}\)\s{0,9}(?:(?:on|returning)\s[^\n]{1,200})?(?:;[\s;]{0,9})?(?:(?:--|\#)[^\n]{0,80})?$
          |select\s{1,9}(?:['"\d(]|[^;]{1,400}\sfrom\s)|set\s{1,9}${name}\s{0,9}=
        )
        |update\s{1,9}${name}\s{1,9}set\s{1,9}${name}\s{0,9}=(?!\s{0,9}(?!(?:null|true|false|default)\b)[a-z]{1,20}(?:\s(?!where\b)[a-z]|$))
        |delete\s{1,9}from\s{1,9}${name}\s{1,9}where\s{1,9}(?!"?time"?\s)["\`[\w.\]]{1,60}\s{0,9}(?:[=<>!]|(?:is|in|like|between)\b)
        |drop\s{1,9}table\s{1,9}(?:if\s{1,9}exists\s{1,9})?${name}\s{0,9}(?:;|--|cascade)
        |grant\s{1,9}all\s{1,9}(?:privileges\s{1,9})?on\s{1,9}[\w*.\`"]{1,80}\s{1,9}to\s{1,9}['"\`]
        |truncate\s{1,9}table\s{1,9}${name}\s{0,9}(?:;|--)
        |alter\s{1,9}table\s{1,9}${name}\s{1,9}(?:add|drop|modify|rename|alter|change)\s{1,9}(?:column\s|constraint\s|to\s|${name}\s{1,9}\w)
      )
    `,
  }),
  patternRule({
    id: 'sql-whole-delete',
    category,
    message: 'A whole statement that empties or drops a table, written as statements are',
    targets: [...besideConsoles, { part: 'query', notPath: consoles }, { part: 'cookie' }],
    sensitivity: 'medium',
    // in small letters it is what people look for: 'delete from history'
    pattern:
      /^\s{0,9}(?:DELETE\s{1,9}FROM|(?:DROP|TRUNCATE)\s{1,9}TABLE)\s{1,9}["'`[]?[A-Za-z_][\w.$"`[\]]{0,80}\s{0,9};?\s{0,9}$/,
  }),
];
