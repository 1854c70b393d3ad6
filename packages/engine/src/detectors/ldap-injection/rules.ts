import type { Rule } from '../../rules/index.ts';
import { patternRule } from '../define.ts';

const category = 'ldap_injection' as const;

/** Filters of LDAP, and paths of XPath, which breaks the same way. */
export const ldapInjectionRules: readonly Rule[] = [
  patternRule({
    id: 'ldap-filter-breakout',
    category,
    message: 'A filter closed and another opened',
    pattern:
      /(?:^|[\w*@.-])\){1,4}\s{0,9}\(\s{0,9}(?:[|&!]\s{0,9}\(?|(?:objectclass|uid|cn|sn|mail|userpassword|password|samaccountname|userprincipalname|memberof|ou|dc|givenname|description|member|department|title|telephonenumber|\w{2,30})\s{0,9}(?:~=|>=|<=|=)\s{0,9}[\w*\\])|\*\s{0,9}\)\s{0,9}\(\s{0,9}[|&]|\)\s{0,9}\(\s{0,9}\|\s{0,9}\(/i,
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
    pattern:
      /['"]\s{0,9}(?:\]|\bor\b|\band\b)[^\n]{0,80}(?:\bcount\s{0,9}\(\s{0,9}\/|\bposition\s{0,9}\(\s{0,9}\)|\bname\s{0,9}\(\s{0,9}(?:\/|\.|\))|\bstring-length\s{0,9}\(|\bsubstring\s{0,9}\(\s{0,9}(?:\/|name|\.)|\btext\s{0,9}\(\s{0,9}\))|^[^'"[\]]{0,60}['"]\s{0,9}\]\s{0,9}(?:\||\/\/?[\w*@])|\b(?:ancestor|child|descendant|following|parent|preceding|self|attribute)(?:-or-self|-sibling)?::(?:\*|node\s{0,9}\(|\w{1,40})|\bdoc(?:ument)?\s{0,9}\(\s{0,9}(?:concat\s{0,9}\(\s{0,9})?['"](?:https?|file|ftp):/i,
  }),
];
