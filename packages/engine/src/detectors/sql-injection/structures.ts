import type { Finding } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { escapedQuote, longText } from './condition-head.ts';
import type { SqlFinding, Structure } from './findings.ts';
import { readSql, type SqlContext, type SqlTokens } from './lexer.ts';
import { isObjectQuery } from './object-query.ts';
import {
  arithmeticBreakout,
  casesAreChosen,
  commentEndsIt,
  dangerIsReal,
  isAskedOf,
  isQuotedPhrase,
  quotedConditionIsReal,
  selectIsNoProse,
  unionIsNoProse,
} from './prose.ts';
import { restOfQuery } from './rest-of-query.ts';
import { stackedIsReal } from './stacked.ts';
import { standsAlone } from './standing-alone.ts';

/** a value: number, string, name, NULL, variable, or the opening of a call or group */
const value = '[nswNv@dfy(]';
/** what ends an injected statement, or its being all there is */
const end = '(?:[K;]|$)';
const negation = '[t(a]*';

const structures: readonly Structure[] = [
  {
    kind: 'union select',
    where: 'any',
    shape: new RegExp(`U[q(]*E[q(]*(?:${value}|\\*|an)`),
    also: unionIsNoProse,
  },
  {
    kind: 'union select',
    where: 'any',
    // PostgreSQL and MySQL 8 join rows and whole tables too.
    // Each run of brackets is read once, from where it begins.
    shape: /(?:[snN]|(?<!\))\))[)]*U[q(]*(?:V[wdf]?\(|Tw(?:[.K;)]|$))/,
  },
  { kind: 'subquery', where: 'any', shape: /(?<!\()\([(]*E[q(]*(?:[nsNv@dfy(*]|[wa][w.]*(?:[,F(]|\)))/ },
  {
    kind: 'statement',
    where: 'any',
    shape:
      /E[q(]*(?:[@dy]|f\(|C[hnswf(]|w\.w\(|[nsN][,;Kp]|[wnNsf*.,()pqa@]{1,80}F(?:y|[w.]+(?:W[t(]*(?:[wvsNy@.,)]{1,12}[oapl]|n|f\(|d\(|E)|K|;|BY|H[n(]|[)])))/,
    also: selectIsNoProse,
  },
  { kind: 'whole query', where: 'bare', shape: /^[;(]*Eq?(?:\*|[wn.]+(?:[,][wn.*]+)+)F[w.]+$/ },
  { kind: 'bare statement', where: 'bare', shape: /E[qw.,n*]+F[w.]/ },
  {
    kind: 'statement',
    where: 'any',
    shape:
      /(?:^|[;)sK])c?(?:RI?w[w.]*(?:\([^)]*\))?(?:V[(wd]|E[q(]*[nsw*(@vdfyN])|Gvw|Pw[w.]*Sw[w.]*o[nsNf(v]|XF[w.y]+(?:W|[;K])|DTw[w.]*(?:[;K(]|$)|Dw[w.]*;K)/,
    also: (matched, text) =>
      !/\bexists\s*(?:--|$)/i.test(matched) &&
      // no statement yet: it does not say what is altered
      !/\balter\s+table\s+[\w.]+\s*$/i.test(matched) &&
      !/\bdrop\s+\w+\s+\w+\s+(?:for|from|of|to|with|in)\s+[a-z]/i.test(text.slice(text.indexOf(matched))) &&
      (!/(?:create|alter)\s+user\b/i.test(matched) ||
        /\b(?:identified|with|password|without|login)\b|@/i.test(text)),
  },
  {
    kind: 'stacked statement',
    where: 'any',
    shape: verbose()`
      (?:
        ;c*(?:
          E[qnswNv@dfy(*]
          |[DRX](?:lR)?[TIFw]
          |Dq
          |Pw+S
          |PlwwS
          |G(?:[GwsvT(y.@;Kt]|$)
          |Cwh
          |w.{1,12}j
          |wd\(
          |[BGDwlP]?T?w[wT].*$
        )
        |^[;]?G(?:w|y|T)[.]{0,2}(?:y|s|d|w|\()
        |Gws
        |Gy
      ).{0,6}
    `,
    also: stackedIsReal,
  },
  { kind: 'dangerous function', where: 'any', shape: /d\((?:[^)]|$)|y\.w/, also: dangerIsReal },
  {
    kind: 'system catalogue',
    where: 'any',
    shape: /F[w.]*y|y\.|@(?:[K,)p;]|$)/,
    also: (matched, text) => !/^(?:sys|master|msdb)\.$/i.test(matched) && isAskedOf(matched, text),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'quoted',
    shape: new RegExp(
      `^s[)c]*[lp]c*${negation}(?:d\\(|(?:[nsN@]|[wv][w.]*|[df]\\([^;K]{0,60}\\))[)]*c*t?o${negation}(?:[nsN@df(]|w$|wK)|[nN][)]*(?:${end}|BY|H)|t?[df]\\([^;K]{0,60}\\)[)]*K|[nN][lp]|s[)]*$)|^s[)]*os[lp]|^s[)]*o(?:s$|[ns]K)|^sanas$`,
    ),
    also: quotedConditionIsReal,
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    shape: new RegExp(
      `^(?:[(a]*[ns][)c]*|[)]{1,4})[lp]c*${negation}(?:[nsN][)]*c*t?o${negation}[nsN@df(]|N${end}|@|[df]\\(|\\(*E)`,
    ),
    also: (matched) => /\b(?:and|x?or)\b|&&|\|\||\d(?:and|or)\b/i.test(matched),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'quoted',
    // `'-'0`, `'^0#`, `'*1=0 or '1`: arithmetic on the string that the quote ends
    shape: /^s[)]*(?:[ao]{1,2}n[)]*K|ano[nN]|anlsn?$|[ao]{1,2}s[no]?$|t?o\(n\)K|on[;a]|ps?ps?$|lsas$|alsn?$)/,
    also: (_matched, text) => text.length < 40 && text !== '"/"' && arithmeticBreakout.test(text),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    // `if(1=1,…)`, `1^if(ascii(mid(…`, `1 div 0 or 1`
    shape:
      /^(?:[(n]a?)?[(]*f\((?:non[,][nswdf]|f\(.{0,12}f?\(.{0,30}o[nsf])|^nln?l[nN]$|^notNl[nN]$|^nlnl[nN]$|^a?nl[t(]*n(?:[a*]n)+[)]*on(?:[a*]n)*[)]*K?$/,
    also: (matched) =>
      /^[-+\d.^*|&/ (]*(?:if|iif)\s*\(|\b(?:div|mod|is\s+not)\b|^-?\d+\s*(?:or|and|xor|\|\||&&)[\s(]/i.test(
        matched,
      ),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    // behind a backslash that took the quote before: ` or length(user)>0#`
    shape: /^l[fd]\([^;K]{0,60}\)o[nsw]K$/,
  },
  {
    kind: 'condition',
    boolean: true,
    where: 'bare',
    shape: new RegExp(`^[(a]*n[)c]*lc*${negation}(?:[wv][w.]*c*t?o${negation}[ns]|n${end})`),
    also: (matched) => /[=<>]|\b(?:like|rlike|regexp)\b|--|#/i.test(matched),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'any',
    shape: /(?:^|[s)n])c*[lp]c*[t(]*(?:no[n]|soso?s?|so[s])[)]*(?:[K;]|[lp]|$)/,
    also: (matched, text) =>
      text.length < longText && /\d\s*=\s*\d|=\s*['"]|like/i.test(matched) && !/^\s*$/.test(matched),
  },
  {
    kind: 'comment ends statement',
    boolean: true,
    where: 'quoted',
    shape: /^s(?:[,](?:[nsNw@]|f\(\))){0,8}[)]*;?K$|^s[,]wo[nsN](?:[,]wo[nsN])*(?:W|K)/,
    also: commentEndsIt,
  },
  {
    kind: 'clause after value',
    boolean: true,
    where: 'any',
    shape:
      /^(?:s|[a(]*n)[)c]*(?:BY[nw(df]|H[nwdsf(]|U[q]?[(E]|IOs|Iv(?:,v)*(?:[K;)]|$))|^BYn(?:,n){0,20}K|^w(?:\.w)?Hnon(?:[K;]|$)/,
    also: (matched, text) =>
      /\d\s*[),]*(?:--[^\n]*|#.*)?$|[a-z(]$|union|into/i.test(matched) &&
      !/(?:limit|offset)\s+[a-z]/i.test(matched) &&
      !isQuotedPhrase(text),
  },
  {
    kind: 'file access',
    where: 'any',
    shape: /I[O][sn]|d\(s/,
    also: (matched) => /into\s|load_file|lo_import|pg_read/i.test(matched),
  },
  {
    kind: 'case expression',
    where: 'any',
    shape: /C[nsw(]?.{0,60}h.{1,80}j.{1,80}e/,
    also: (matched) => /\bcase\b.{0,60}\bwhen\b.{1,120}\bthen\b/is.test(matched) && casesAreChosen(matched),
  },
  {
    kind: 'conditional comment',
    where: 'any',
    shape: /c[EUqFWlBdfyRPXDGI]/,
    also: (matched) => matched.startsWith('/*!') || matched.startsWith('/*M!'),
  },
  {
    kind: 'concatenated breakout',
    boolean: true,
    where: 'quoted',
    shape: /^s[)]*(?:[pa,]c*\(*(?:E|[df]\(|C[h(])|[pa]s?[pa]?[df]\()/,
    also: (matched) => /select|\(/i.test(matched),
  },
  {
    kind: 'lone concatenation',
    boolean: true,
    where: 'bare',
    shape: /^(?:sps|sas|sp[df]\(|f\(s(?:,[ns])+\))$/,
    also: (_matched, text) => text.length < 60,
  },
  ...restOfQuery,
];

/** Structures that need a word such as SELECT, and those that a condition makes. */
export const statementStructures = structures.filter((structure) => !structure.boolean);
export const conditionStructures = structures.filter((structure) => structure.boolean);

/**
 * `expected a value after '='`, `the 'and' operator is like "or"`: sentences about an operator. What parts words is no
 * letter here, as a no-break space is with `\s`: else a text of them is read from each byte in as many ways as it is long.
 */
const toldOperator = verbose('i')`
  ^(?:[a-z\x80-\xff\s,.:]|-(?!-))*(?:
    [a-z\x80-\xff]{2}[\x20\t\n][a-z\x80-\xff]{2,}[\x20\t\n](['"])(?:[=<>+]{1,2}|&&|\|\||and|x?or|not|like)\1[\s.!)]*
    |(?:^|\s)(['"])(?:and|x?or|not|like)\2\s(?:operators?|keywords?|words?|conditions?|gates?)\b[a-z\s,]*
      (?:(['"])(?:and|x?or|not|like)\3[\s.!?)]*)?
  )$
`;

/**
 * `the meaning of "or" in logic`, `must have ' or " or ; in it`. XPath and some databases take such a string for true, so it is believed
 * where people search or write, and nowhere else.
 */
const amongWords = verbose('i')`
  ^[a-z\x80-\xff\s,.:;?!]*[a-z\x80-\xff]{2}[,:]?\x20(?:
    (['"])(?:and|x?or|not|like)\1
    |['"]\x20(?:and|or)\x20['"]
  )\x20[a-z\x80-\xff][a-z\x80-\xff\s,.:;?!]*$
`;

/**
 * What in the text injects into SQL, whether it lands outside of a string or inside one of either quote.
 * Linear: each context is read once, at most 256 tokens.
 */
export function sqlStructures(sent: string, group: readonly Structure[]): Finding[] {
  if (group === conditionStructures && toldOperator.test(sent)) return [];
  if (isObjectQuery(sent))
    return group === conditionStructures ? [] : [{ kind: 'object query', span: [0, sent.length] }];
  const isAmongWords = group === conditionStructures && amongWords.test(sent);
  // `union+select` without a single space was encoded once more than it was decoded.
  const text =
    sent.includes('+') && !/[ ]|:\/\//.test(sent) && (plusForSpace.test(sent) || !plusAsSign.test(sent))
      ? sent.replaceAll('+', ' ')
      : sent;
  // Conditions stand where the text, or what follows its first quote, begins; only short texts are read whole.
  const maxTokens = group === conditionStructures && text.length >= longText ? 48 : 256;
  const found = new Map<SqlFinding, Finding>();
  // `\\'` where the application escapes the quote and forgets the backslash
  const read0 = escapedQuote.test(text) ? text.replace(/\\(?=['"])/g, ' ') : text;
  for (const context of contexts(text)) {
    if (
      context === '`' &&
      group === conditionStructures &&
      !(leavesName.test(text) && text.length < longText)
    )
      continue;
    const tokens = readSql(context === '' ? text : read0, context, maxTokens);
    if (!mayHold(group, context, tokens.shape)) continue;
    const plain = withoutComments(tokens);
    for (const { kind, shape, where, also } of group) {
      if (found.has(kind) || (where === 'bare' && context !== '') || (where === 'quoted' && context === ''))
        continue;
      const read = kind === 'conditional comment' ? tokens : plain;
      const match = shape.exec(read.shape);
      if (!match || (context === '' && isToldInProse(read.shape, match.index))) continue;
      const last = Math.min(match.index + Math.max(match[0].length, 1), read.starts.length) - 1;
      const span = [read.starts[match.index] ?? 0, read.ends[last] ?? text.length] as const;
      if (also && !also(text.slice(...span), text)) continue;
      const reported = isAmongWords
        ? 'operator among words'
        : standsAlone(kind, context, text, span)
          ? 'lone statement'
          : kind;
      found.set(reported, { kind: reported, span });
    }
  }
  return [...found.values()];
}

/** All shapes of a group that mean anything in a context, as one pattern: most texts hold none, and are 1 of 6 µs sooner done. */
const sieves: ReadonlyMap<readonly Structure[], Readonly<Record<'bare' | 'quoted', RegExp>>> = new Map(
  [statementStructures, conditionStructures].map((group) => {
    const sieve = (where: 'bare' | 'quoted') =>
      new RegExp(
        group
          .filter((structure) => structure.where === 'any' || structure.where === where)
          .map(({ shape }) => shape.source)
          .join('|'),
      );
    return [group, { bare: sieve('bare'), quoted: sieve('quoted') }] as const;
  }),
);

/** False where no structure matches; a comment may stand between any two tokens, so nothing is told of a text with one. */
function mayHold(group: readonly Structure[], context: SqlContext, shape: string): boolean {
  const sieve = sieves.get(group);
  return !sieve || shape.includes('c') || (context === '' ? sieve.bare : sieve.quoted).test(shape);
}

function contexts(text: string): SqlContext[] {
  const found: SqlContext[] = [''];
  if (text.includes("'")) found.push("'");
  if (text.includes('"')) found.push('"');
  // A name of MySQL that is left; two of them are a name, or code in a sentence, unless the first is closed at once.
  const backtick = text.indexOf('`');
  if (backtick >= 0 && (!text.includes('`', backtick + 1) || leavesName.test(text))) found.push('`');
  return found;
}

function withoutComments(tokens: SqlTokens): SqlTokens {
  const { shape, starts, ends } = tokens;
  if (!shape.includes('c')) return tokens;
  const isKept = (_place: number, index: number) => shape[index] !== 'c';
  return { shape: shape.replaceAll('c', ''), starts: starts.filter(isKept), ends: ends.filter(isKept) };
}

/**
 * Five plain words in a row before it, or a name right before SELECT: somebody writes about SQL. What lands outside of a string must start
 * where the value starts; what lands inside one is read in that context too.
 */
function isToldInProse(shape: string, index: number): boolean {
  const before = shape.slice(0, index);
  return /[wy?]{5}/.test(before) || (shape[index] === 'E' && /[w?.]$/.test(before));
}

/** `id`,(select …),`id`: the name that the host began, then what belongs between names. */
const leavesName = /^\w{0,64}`[\s)]{0,9}(?:,|from\b)/i;

const plusForSpace = /\+(?:union|select|from|where|or|and|order|group|having|like|limit)\+/i;
const plusAsSign = /['")]\+|\+['"(]/;
