import type { Detector } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { mayHoldCondition } from './condition-head.ts';
import { spaced } from './prose.ts';
import { conditionStructures, sqlStructures, statementStructures } from './structures.ts';
import { commonFunctions, dangerousFunctions } from './words.ts';

/**
 * Words of which every statement has one, whole and with what must follow: `selected`, `updatedAt` and `casement`
 * begin like them. A number may run into the word (`1e0union`), as may a comment. Functions and catalogues stand
 * for themselves.
 */
const statement = verbose('i')`
  (?:^|[^a-z_$]|\/\*!\d{0,6})(?:
    select|union|intersect|except|minus|waitfor|insert|replace|update|delete|drop|truncate|alter|create|exec(?:ute)?
    |declare|case|merge|rename|grant|revoke|shutdown|call|copy|begin|prepare|attach|handler|bulk|reconfigure|pragma
  )(?:[^a-z_$]|$)
  |(?:^|[^a-z_$])(?:do\s{1,9}\$|load\s{1,9}data|lock\s{1,9}t|kill\s)
  |(?:${new RegExp([...dangerousFunctions].join('|'))})\s{0,9}(?:\/\*.{0,20}\*\/)?\(
  |@@\w|\/\*m?!|(?:outfile|dumpfile)\s|information_schema
  |(?:^|[^a-z])(?:
    sys(?:objects|columns|databases|users|logins|master|cat|ibm)
    |(?:sys|master|msdb|mysql|ctxsys|ordsys|domain)\.
    |utl_|dbms_|xp_|sp_|pg_|sqlite_|v\$|all_(?:tab|users|obj)|user_(?:tab|obj)|dba_(?:tab|users)|rdb\$
    |innodb_(?:table|index)|performance_schema|msysaccess
  )
`;

/** Reads a text as SQL in every context it may land in, and reports statements that inject. */
export const sqlStatementDetector: Detector = {
  name: 'sql statement',
  gate: { pattern: statement, allOf: [] },
  detect: (text) => (statement.test(text) ? sqlStructures(text, statementStructures) : []),
};

/**
 * Every structure of a condition holds one of these, whatever else: a quote, an operator between conditions, a
 * clause's word, or IF called. Comparisons alone stand for nothing.
 */
const joined = verbose('i')`
  ['"]
  |\`[\s)]{0,9}(?:,|from)
  |\|\|
  |&&
  |(?:^|[^a-z_$\x80-\x9f\xa1-\xff])(?:
      and|x?or|div|mod|is|glob|between|where|order|group|partition|having|limit|offset|procedure|fetch|union|intersect|except|minus
      |into
    )(?:[^\w$\x80-\x9f\xa1-\xff]|$)
  |if\s{0,9}\(
  # a number compared with a group: '1) = (7=7)--', '1 in (2=2)#'
  |(?:\d|\\N|null)[\s)]{0,9}(?:/\*[^*]{0,20}\*/|--[^\n]{0,3}\n)?(?:[-+*/%^&|=<>!]{1,3}|(?:not\s{1,9})?in|(?:sounds\s{1,9}|r)?like|regexp)\s{0,9}(?:/\*[^*]{0,20}\*/|--[^\n]{0,3}\n)?\(
`;

/** A function of SQL called behind a sign, as in `1-ascii(mid(version(),1,1))-- `. */
const called = [...commonFunctions].map((name) => `${name}\\(|${name}\\s\\(`).join('|');
const conditional = new RegExp(`${joined.source}|${called}`, 'i');

/** A quote with an operator, a clause or a comment right after it. */
const breakout = verbose('i')`
  ['"][\s)\xa0]*(?:\/\*[^*]{0,80}\*+\/[\s\xa0]*|\/\*!\d{0,6}(?!\/\*+\/))*(?:
    x?or\b
    |and\b
    |div\b
    |mod\b
    |like\b
    |in\s?\(
    |r?like\b
    |regexp\b
    |(?:is|between|glob|where|sounds)\b
    |[=<>!]{1,3}~?\s{0,9}[('"\d]
    |[-+*/^&|%]\s{0,9}[\d(]
    |[-+*/^&]{1,2}['"]
    |,\s{0,9}['"\w@]
    |\|\|
    |&&
    |--
    |#
    |\/\*
    |;
    |[+,|]\s{0,9}\(*\s{0,9}(?:\w{1,20}\s{0,9}\(|select|case)
    |order\b
    |group\b
    |having\b
    |limit\b
    |offset\b
    |procedure\b
    |into\b
    |fetch\b
    |union
    |intersect
    |except
    |minus
  )
`;
/** A value, or an operator on one, at the start. */
const beginning = verbose('i')`
  ^[\s)]{0,9}(?:order|group)\s{1,9}by\s{1,9}\d{1,6}[\s\d,]{0,40}(?:--|#)
  |^[\s(+~!/-]*(?:\.?\d|\\N|null\b|true\b|false\b|['"]|i?if\s{0,9}\()
  |^[\s)]*(?:or|and|\|\||&&|xor)[\s(!'"]
  |^\w{1,40}(?:\.\w{1,40})?\s{1,9}having\s{1,9}\d
  |^[\s(,]{0,3}(?:\w{1,30}[\s,(]{1,3}){1,4}i?if\s{0,9}\(
  |^\w{0,40}\`[\s)]{0,9}(?:,|from\b)
`;

/** The same for conditions and clauses that lengthen a statement. */
export const sqlConditionDetector: Detector = {
  name: 'sql condition',
  gate: { pattern: conditional, allOf: [] },
  detect: (text) =>
    mayHoldCondition(text) &&
    (beginning.test(text) || breakout.test(text) || (text.includes('/*') && beginning.test(spaced(text))))
      ? sqlStructures(text, conditionStructures)
      : [],
};
