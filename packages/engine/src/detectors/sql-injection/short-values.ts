import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule } from '../define.ts';

const category = 'sql_injection' as const;

/** What is too short for a structure to tell it from prose: each of these is a value of its own, or ends one. */
export const shortValueRules: readonly Rule[] = [
  patternRule({
    id: 'sql-compared-strings',
    category,
    message: 'A value closed and compared with the string that the application closes',
    // `x'<>'zz`, `apple'*'1`, `apple'>='`: nothing but one word before it, for passwords hold such signs too
    pattern: /^-?\w{1,20}'[)]{0,3}(?:<>|[<>]=|<=>|\*)'\w{0,8}$/,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-compared-twice',
    category,
    message:
      'A value closed, compared with a number, and the result with the string that the application closes',
    pattern: /^-?\w{1,20}'=\d{1,6}='\w{0,8}$/,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-number-ends',
    category,
    message: 'A number, and a comment that swallows the rest of the query',
    // a lone `--` or `#` behind a number is writing; `;--`, `-- -` and `/**/--` are not
    pattern:
      /^-?[\d.]{1,12}(?:e\d)?[\s)]{0,5}(?:;[\s;]{0,3}(?:--[\s-]{0,3}\w?|#)|--\s-|\/\*[!\d\w\s]{0,9}\*\/\s?(?:--[\s-]{0,3}\w?|#)|;\0)$/,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-null-test',
    category,
    message: 'NULL or a number asked whether it is NULL, as SQLite and PostgreSQL write it',
    pattern: verbose('i')`
      (?:^|[\s(,'")&|*/])null[\s/*-]{1,9}(?:is|not)null\b(?!\s?\()
      |(?:\b(?:or|and|not)|\|\||&&)[\s/*-]{1,9}[\d.]{1,6}[\s/*-]{1,9}(?:is|not)null\b(?!\s?\()
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-minus-sleep',
    category,
    message:
      'A function that waits, taken from a string: two minuses without a space are no comment of MySQL',
    pattern:
      /['"]\s?-{2,3}(?:\/\*\*\/)?(?:sleep|benchmark|extractvalue|updatexml|load_file)\s{0,3}\(\s{0,3}['"(\d.]/i,
  }),
  patternRule({
    id: 'sql-made-to-fail',
    category,
    message: 'A function or operator given what it must refuse, so that the failure answers a question',
    pattern: verbose('i')`
      \bjson(?:_\w{1,12})?[\s/*]{0,6}\([\s(/*]{0,6}'[\s{[x]{1,2}'[\s/*]{0,6}[,)]
      |\blike[\s/*-]{1,6}'\w{1,3}'[\s/*-]{1,6}escape[\s/*-]{1,6}'(?:\w\w{1,3})?'
    `,
    sensitivity: 'medium',
  }),
];
