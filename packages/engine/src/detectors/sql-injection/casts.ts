import type { Detector } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { spaced } from './prose.ts';

/** The result of a call or of a group, cast as PostgreSQL does. */
const cast = verbose('i')`
  ^[^:;{}]{0,160}[)\]]\s{0,3}::\s{0,3}(?:
    int[248]?|integer|bigint|smallint|numeric|bool(?:ean)?|text|date|regclass|jsonb?|inet|uuid|money|float[48]?
  )\b
`;

/** `->b()::int` and `A::get()::text` are paths of programming languages; a statement or a sentence shows a cast. */
const shown = verbose('i')`
  ^(?:
    [^:'"]{0,160}=>(?<!\w\(\s{0,3}\w{1,40}\s{0,3}=>)
    |\s{0,9}(?:select|insert|update|with|create|alter|explain|return)\b
    # 'f(a)::int', '(price * 2)::numeric': a column of somebody's report
    |\(?\s{0,3}(?!version|current_|session|user|database|pg_|inet_|query_to|string_|array_|jsonb?_|chr|pass|getpg|table)
      [a-z]\w{0,30}\s{0,3}(?:\([a-z\s]{0,30}\)|[*+/-]\s{0,3}[\w.]{1,12}\s{0,3}\))\s{0,3}::
    # words that no operator joins
    |[^:'"]{0,60}\b(?:(?!(?:and|or|not|is|null|in|like|between|case|when|then|else|end|as|by)\b)[a-z]{2,}\s{1,3}){3}
      (?!(?:and|or|not|is|null|in|like|between|case|when|then|else|end|as|by)\b)[a-z]{2,}
  )
`;

/** Reads a text as PostgreSQL does, so that what a comment holds excuses nothing. */
export const castDetector: Detector = {
  name: 'sql cast',
  gate: { allOf: [['::'], [')', ']']] },
  detect: (text) => {
    if (text.length > 4096) return [];
    const read = spaced(text);
    if (!cast.test(read) || shown.test(read)) return [];
    return [{ kind: 'cast group', span: [0, Math.min(text.length, text.indexOf('::') + 12)] }];
  },
};
