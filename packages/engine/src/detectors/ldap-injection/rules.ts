import type { Rule } from '../../rules/index.ts';
import { patternRule } from '../define.ts';

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

/** Filters of LDAP, and paths of XPath, which breaks the same way. */
export const ldapInjectionRules: readonly Rule[] = [
  patternRule({
    id: 'ldap-filter-breakout',
    category,
    message: 'A filter closed and another opened',
    pattern:
      /(?:^|[\w*@.-])\){1,4}(?:\((?=\w{2,30}=)|\s{0,9}\((?!\w{2,30}=(?!\*)))\s{0,9}(?:[|&!]\s{0,9}\(?|(?:objectclass|uid|cn|sn|mail|userpassword|password|samaccountname|userprincipalname|memberof|ou|dc|givenname|description|member|department|title|telephonenumber|\w{2,30})\s{0,9}(?:~=|>=|<=|=)\s{0,9}[\w*\\])|\*\s{0,9}\)\s{0,9}\(\s{0,9}[|&]|\)\s{0,9}\(\s{0,9}\|\s{0,9}\(|\*\s{0,4}\)\s{0,4}\(\s{0,4}\(\s{0,4}[|&]/i,
    gate: {
      allOf: [[')'], ['('], ['=', '*', '|', '&', '!']],
    },
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'ldap-filter',
    category,
    message: 'A whole filter as a value',
    pattern:
      /\(\s{0,9}[&|!]\s{0,9}\(\s{0,9}[\w.;-]{1,40}\s{0,9}(?:~|>|<|:[\w.]{0,40}:)?=|\(\s{0,9}(?:objectclass|samaccountname|userpassword|userprincipalname|memberof|objectcategory|uid|cn|sn|mail)\s{0,9}(?:~|>|<)?=\s{0,9}[\w*\\.]{1,60}\s{0,9}\)/i,
  }),
  patternRule({
    id: 'ldap-wildcard-end',
    category,
    message: 'A wildcard that closes the filter and comments out the rest',
    pattern:
      /\*\s{0,4}\)(?:\s{0,4}\)){0,4}(?:\s{0,4}%00|\0)|^\*\)\(|^\*\){2,}$|\)\s{0,4}\0$|\*\)\(\w{1,30}=\*/,
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
    pattern:
      /['"]\s{0,9}\)?\s{0,9}(?:\]|\bor\b|\band\b|\|)[^\n]{0,80}?(?:\btrue[ \t\n]?\(\s{0,9}\)|\bnot[ \t\n]?\(\s{0,9}\/|\bcontains[ \t\n]?\(\s{0,9}[./]|\/\*\s{1,9}or\b|[|] ?\/\/\w|\bcount[ \t\n]?\(\s{0,9}\/|\bposition[ \t\n]?\(\s{0,9}\)|\bname[ \t\n]?\(\s{0,9}(?:\/|\.|\))|\bstring-length[ \t\n]?\(|\bsubstring[ \t\n]?\(\s{0,9}(?:\/|name|\.)|\btext[ \t\n]?\(\s{0,9}\))|^[^'"[\]]{0,60}['"]\s{0,9}\] ?(?:\||\/\/?[\w*@.])|^\/{1,2}[\w*:-]{1,40}\[[^\]\n]{1,120}?(?:text\(\)\s{0,3}=|['"] (?:or|and) ['"\d])|\bsubstring[ \t\n]?\(\s{0,9}\/\/\w|\b(?:ancestor|child|descendant|following|parent|preceding|self|attribute)(?:-or-self|-sibling)?::(?:\*|node[ \t\n]?\(|\w{1,40})|\bdoc(?:ument)?[ \t\n]?\(\s{0,9}(?:concat[ \t\n]?\(\s{0,9})?['"](?:https?|file|ftp):/i,
  }),
];
