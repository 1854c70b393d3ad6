import type { Detector, Finding } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { isWholeFilter } from './filter.ts';

export type FilterFinding = 'filter breakout' | 'filter' | 'wildcard end' | 'whole filter';

const shapes: readonly { readonly kind: FilterFinding; readonly pattern: RegExp }[] = [
  {
    kind: 'filter breakout',
    pattern: verbose('i')`
      (?:^|[\w*@.-])\){1,4}(?:\((?=\w{2,30}=)|\s{0,9}\((?!\w{2,30}=(?!\*)))\s{0,9}(?:
        [|&!]\s{0,9}(?:$|\0|%00|\)|\(\s{0,9}(?:[|&!(]|\w{1,40}\s{0,9}(?:~|>|<|:[\w.]{0,40}:)?=))
        |(?:
            objectclass|uid|cn|sn|mail|userpassword|password|samaccountname|userprincipalname|memberof|ou|dc
            |givenname|description|member|department|title|telephonenumber
          )\s{0,9}(?:~=|>=|<=|=)\s{0,9}[\w*\\]
        |[a-z][a-z-]{1,29}\s{0,9}[~<>]?=\s{0,9}(?:\*|[\w@.\\-]{1,60}\*?\s{0,3}[()\0])
      )
      |^[\w*@. \\-]{0,60}\){1,3}(?:\(|\s{1,9}\((?=\w{3}))[a-z][\w;-]{1,29}\s{0,3}(?:[~<>]|:[\w.]{0,40}:)?=\s{0,3}(?:
          \*|[\w@.\\-]{1,60}(?:$|[*()\0])
        )
      |\*\s{0,9}\)\s{0,9}\(\s{0,9}[|&]\s{0,9}(?:$|\0|%00|[()]|\w{2,30}=)
      |\)\s{0,9}\(\s{0,9}\|\s{0,9}\(
      |\*\s{0,4}\)\s{0,4}\(\s{0,4}\(\s{0,4}[|&]
    `,
  },
  {
    kind: 'filter',
    pattern: verbose('i')`
      \(\s{0,9}[&|!]\s{0,9}\(\s{0,9}[\w.;-]{1,40}\s{0,9}(?:~|>|<|:[\w.]{0,40}:)?=[^()\n]{0,80}(?:$|[()*])
      |\(\s{0,9}(?:
          objectclass|samaccountname|userpassword|userprincipalname|memberof|objectcategory|uid|cn|sn|mail
        )\s{0,9}(?:~|>|<)?=\s{0,9}[\w*\\.]{1,60}\s{0,9}\)
    `,
  },
  {
    kind: 'wildcard end',
    pattern:
      /\*\s{0,4}\)(?:\s{0,4}\)){0,4}(?:\s{0,4}%00|\0)|^\*\)\((?:$|[&|!(]|[a-z][\w-]{1,30}[=~<>:])|^\*\){2,}$|\)\s{0,4}\0$|\*\)\(\w{1,30}=\*/,
  },
];

/** A filter among words: 'Filter (&(a=b)(c=d)) returns no rows'. What closes a bracket of its host is none by itself. */
const toldFilter = /^(?:[^()]{0,200}[a-z]{2}[:,]?\s)?(\(.{4,600}\))(?:[.?!]|\s[a-z]{2,20}[^()]{0,200})?$/i;

/** Reads a text as a piece of an LDAP filter; one that is a filter by itself is no piece of another. */
export const filterDetector: Detector = {
  name: 'directory filter',
  gate: { allOf: [[')'], ['(', '*', '\0'], ['=', '*', '|', '&', '!', '\0', '%00']] },
  detect: (text) => {
    if (isWholeFilter(toldFilter.exec(text)?.[1] ?? text))
      return [{ kind: 'whole filter', span: [0, text.length] }];
    return shapes.flatMap(({ kind, pattern }): Finding[] => {
      const found = pattern.exec(text);
      return found ? [{ kind, span: [found.index, found.index + found[0].length] }] : [];
    });
  },
};
