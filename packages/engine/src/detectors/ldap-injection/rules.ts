import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { telling } from '../command-injection/command-fields.ts';
import { anywhere, detectRule, patternRule } from '../define.ts';
import { besideTexts } from '../text-fields.ts';
import { type FilterFinding, filterDetector } from './filter-detector.ts';

const category = 'ldap_injection' as const;

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
    pattern: verbose('i')`
      ['"](?<!^\/{1,2}[\w*:./-]{1,60}\[[^'"\]\n]{1,60}[=,]\s{0,3}['"][^'"\]\n]{0,60}['"])\s{0,9}\)?\s{0,9}(?:
        \]|\bor\b|\band\b|\|
      )\s{0,3}[^\n]{0,80}?(?:
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
      |^[^'"[\]]{0,60}['"]\s{0,9}\]\s{0,3}(?:
          \|\s{0,3}(?:\/{1,2}[\w*@.]|\*|\w{1,20}(?:::|[([/]|\s{0,3}\|))
          |\/{1,2}(?:\.\.|[*@]|\w{2,40}(?:$|[\s([:/|]))
        )
      |^\/{1,2}[\w*:-]{1,40}\[[^\]\n]{1,120}?(?:text\(\)\s{0,3}=|['"] (?:or|and) ['"\d])
      |\b(?:substring|string-length)[ \t\n]?\(\s{0,9}\/\/\w
      |\b(?:ancestor|child|descendant|following|parent|preceding|self|attribute)(?:-or-self|-sibling)?::(?:
          \*|(?:node|text)[ \t\n]?\(
        )
      |\b(?:ancestor|child|descendant|following|preceding|attribute)(?:-or-self|-sibling)?::\w{1,40}
      # 'pub use self::Hidden' and 'parent::boot()' are Rust and PHP; here an axis stands in a path or a condition.
      |(?:^|[/[|('"=]|\bor\s|\band\s)\s?(?:parent|self)::\w{1,40}
      |\bdoc(?:ument)?[ \t\n]?\(\s{0,9}(?:concat[ \t\n]?\(\s{0,9})?['"](?:https?|file|ftp):
    `,
  }),
  patternRule({
    id: 'xpath-query-loop',
    category,
    message: 'An expression of XQuery that reads a document',
    targets: besideTexts(anywhere, telling),
    pattern: verbose('i')`
      ^\s{0,3}(?:for|let)\s{1,3}\$\w{1,20}\s{1,3}(?:in|:=)\s{1,3}(?:fn:)?(?:doc|collection)\s?\([^\n]{0,160}?\breturn\b
    `,
  }),
  patternRule({
    id: 'xpath-condition',
    category,
    message: 'A condition of XPath behind a number or a quote, or a second path behind the first',
    pattern: verbose('i')`
      # '1 or true()', '0 and contains(.,'s')', '99 or ../user': behind a number only what no other language writes so
      ^-?\d{1,9}\)?\s{1,9}(?:or|and)\s{1,9}(?:
        true\(\)|not\((?:false\(\)|0\)|''\))|(?:local-name|position|last)\(\)
        |(?:string-length|contains|number|name|translate|sum|count|starts-with|boolean|normalize-space)\((?:\/|\.\W|@)
        |\.\.\/\w|\/\/\w
      )
      # '0]|//key|//x[1'
      |^-?\d{1,9}\]\s{0,3}\|\s{0,3}(?:\/{1,2}[\w*@.]|\*|\w{1,20}\s{0,3}\|)
      # '' or . or '', 'x' or @id or ''
      |^[^'"\n]{0,40}['"]\)?\s{1,9}(?:or|and)\s{1,9}(?:\.|\*|@[\w*]{1,30}|\.\.\/\w{1,30})\s{1,9}(?:or|and)\s{1,9}[\w-]{0,12}\(?['"]\w{0,12}$
      # '') or name or not('a', 'x') and //key or contains(name,''
      |^[^'"()\n]{0,40}['"]\)\s{1,9}(?:or|and)\s{1,9}[^'"\s]{1,40}(?:['"][^'"]{0,12}['"]\)?)?\s{1,9}(?:or|and)\s{1,9}(?:
          (?:not)?\(|(?:contains|starts-with)\([\w.@]{1,20},
        )['"]\w{0,12}$
    `,
    sensitivity: 'medium',
  }),
];
