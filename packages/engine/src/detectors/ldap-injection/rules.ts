import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { detectRule, patternRule } from '../define.ts';
import { type FilterFinding, filterDetector } from './filter-detector.ts';

const category = 'ldap_injection' as const;

/** Functions of XPath as a breakout calls them; one space may stand before the bracket. */
const called = [
  'true',
  'not',
  'contains',
  'count',
  'position',
  'name',
  'string-length',
  'substring',
  'text',
  'doc',
  'document',
].flatMap((name) => [`${name}(`, `${name} (`, `${name}\t(`, `${name}\n(`]);

function filter(
  id: string,
  finding: FilterFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity'>> = {},
): Rule {
  return detectRule({ id: `ldap-${id}`, category, finding, message, detector: filterDetector, ...more });
}

/** Filters of LDAP, and paths of XPath, which breaks the same way. */
export const ldapInjectionRules: readonly Rule[] = [
  filter('filter-breakout', 'filter breakout', 'A filter closed and another opened'),
  filter('filter', 'filter', 'A filter inside a value'),
  filter('wildcard-end', 'wildcard end', 'A wildcard that closes the filter and comments out the rest'),
  filter('whole-filter', 'whole filter', 'A whole filter as a value, as clients of directories send it', {
    score: 2,
    sensitivity: 'high',
  }),
  patternRule({
    id: 'xpath-breakout',
    category,
    message: 'An XPath condition or function where a value belongs',
    gate: {
      allOf: [
        ["'", '"', '::', '//', 'text'],
        [
          ...called,
          '::',
          '/*',
          '|//',
          '| //',
          ']/',
          '] /',
          ']|',
          '] |',
          "' or ",
          '" or ',
          "' and ",
          '" and ',
        ],
      ],
    },
    pattern: verbose('i')`
      ['"](?<!^\/{1,2}[\w*:./-]{1,60}\[[^'"\]\n]{1,60}[=,]\s{0,3}['"][^'"\]\n]{0,60}['"])\s{0,9}\)?\s{0,9}(?:
        \]|\bor\b|\band\b|\|
      )[^\n]{0,80}?(?:
        \btrue[ \t\n]?\(\s{0,9}\)
        |\bnot[ \t\n]?\(\s{0,9}\/
        |\bcontains[ \t\n]?\(\s{0,9}[./]
        |\/\*\s{1,9}or\b
        |[|] ?\/\/\w
        |\bcount[ \t\n]?\(\s{0,9}\/
        |\bposition[ \t\n]?\(\s{0,9}\)
        |\bname[ \t\n]?\(\s{0,9}(?:\/|\.|\))
        |\bstring-length[ \t\n]?\(
        |\bsubstring[ \t\n]?\(\s{0,9}(?:\/|name|\.)
        |\btext[ \t\n]?\(\s{0,9}\)
      )
      |^[^'"[\]]{0,60}['"]\s{0,9}\] ?(?:
          \|\s?(?:\/{1,2}[\w*@.]|\w{1,20}(?:::|[([/]))
          |\/{1,2}(?:\.\.|[*@]|\w{2,40}(?:$|[\s([:/|]))
        )
      |^\/{1,2}[\w*:-]{1,40}\[[^\]\n]{1,120}?(?:text\(\)\s{0,3}=|['"] (?:or|and) ['"\d])
      |\bsubstring[ \t\n]?\(\s{0,9}\/\/\w
      |\b(?:ancestor|child|descendant|following|parent|preceding|self|attribute)(?:-or-self|-sibling)?::(?:
          \*|(?:node|text)[ \t\n]?\(
        )
      |\b(?:ancestor|child|descendant|following|preceding|attribute)(?:-or-self|-sibling)?::\w{1,40}
      # 'pub use self::Hidden' and 'parent::boot()' are Rust and PHP; here an axis stands in a path or a condition.
      |(?:^|[/[|('"=]|\bor\s|\band\s)\s?(?:parent|self)::\w{1,40}
      |\bdoc(?:ument)?[ \t\n]?\(\s{0,9}(?:concat[ \t\n]?\(\s{0,9})?['"](?:https?|file|ftp):
    `,
  }),
];
