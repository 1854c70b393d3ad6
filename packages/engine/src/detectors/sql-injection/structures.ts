import type { Finding } from '../../rules/index.ts';
import { readSql, type SqlContext, type SqlTokens } from './lexer.ts';

/** A shape of tokens that stands for one way of injecting. `c` comments are allowed between any two tokens. */
interface Structure {
  /** `boolean`: no strong word is needed, so it is sought in every text that could hold a condition */
  readonly boolean?: true;
  readonly kind: SqlFinding;
  readonly shape: RegExp;
  /** in which contexts the shape means anything: outside of quotes, inside, or both */
  readonly where: 'bare' | 'quoted' | 'any';
  /** asked of the matched text, where letters are not enough */
  readonly also?: (matched: string, text: string) => boolean;
}

export const sqlFindings = [
  'union select',
  'subquery',
  'statement',
  'stacked statement',
  'dangerous function',
  'system catalogue',
  'tautology',
  'condition',
  'comment ends statement',
  'clause after value',
  'case expression',
  'conditional comment',
  'file access',
  'concatenated breakout',
  'whole query',
  'bare statement',
  'lone concatenation',
] as const;
export type SqlFinding = (typeof sqlFindings)[number];

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
  { kind: 'subquery', where: 'any', shape: /\([(]*E[q(]*(?:[nsNv@dfy(*]|[wa][w.]*(?:[,F(]|\)))/ },
  {
    kind: 'statement',
    where: 'any',
    shape:
      /E[q(]*(?:[@dy]|f\(|C[hnswf(]|w\.w\(|[nsN][,;Kp]|[wnNsf*.,()pqa@]{1,80}F(?:y|[w.]+(?:W|K|;|BY|H[n(]|[)])))/,
    also: selectIsNoProse,
  },
  { kind: 'whole query', where: 'bare', shape: /^[;(]*Eq?(?:\*|[wn.]+(?:[,][wn.*]+)+)F[w.]+$/ },
  { kind: 'bare statement', where: 'bare', shape: /E[qw.,n*]+F[w.]/ },
  {
    kind: 'statement',
    where: 'any',
    shape:
      /(?:^|[;)sK])c?(?:RI?w[w.]*(?:\([^)]*\))?[VE]|Pw[w.]*Sw[w.]*o[nsNf(v]|XF[w.y]+(?:W|[;K])|DTw[w.]*(?:[;K(]|$)|Dw[w.]*;K)/,
  },
  {
    kind: 'stacked statement',
    where: 'any',
    shape:
      /(?:;c*(?:E[qnswNv@dfy(*]|[DRX][TIFw]|Pw+S|G[wsv(y.@]|Cwh)|^[;]?G(?:w|y)[.]{0,2}(?:y|s|d|w)|Gws|Gy)/,
    also: (matched) =>
      /waitfor\s+(?:delay|time)\b|[;].|xp_|sp_|utl_|dbms_|master\b|declare\s+@/is.test(matched),
  },
  { kind: 'dangerous function', where: 'any', shape: /d\((?:[^)]|$)|y\.w/, also: dangerIsReal },
  {
    kind: 'system catalogue',
    where: 'any',
    shape: /F[w.]*y|y\.|@(?:[K,)p;]|$)/,
    also: (matched) => !/^(?:sys|master|msdb)\.$/i.test(matched),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'quoted',
    shape: new RegExp(
      `^s[)c]*[lp]c*${negation}(?:d\\(|(?:[nsN]|[wv][w.]*|[df]\\([^;K]{0,60}\\))[)]*c*t?o${negation}(?:[nsN@df(]|w$|wK)|[nN]${end}|[nN][lp]|s[)]*$)|^s[)]*os[lp]|^s[)]*o(?:s$|[ns]K)|^sanas$`,
    ),
    also: quotedConditionIsReal,
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    shape: new RegExp(
      `^[(a]*[ns][)c]*[lp]c*${negation}(?:[nsN]c*t?o${negation}[nsN@df(]|N${end}|[df]\\(|\\(*E)`,
    ),
    also: (matched) => /\b(?:and|x?or)\b|&&|\|\|/i.test(matched) || /\d(?:and|or)\b/i.test(matched),
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
      text.length < 400 && /\d\s*=\s*\d|=\s*['"]|like/i.test(matched) && !/^\s*$/.test(matched),
  },
  {
    kind: 'comment ends statement',
    boolean: true,
    where: 'quoted',
    shape: /^s[)]*;?K$/,
    also: commentEndsIt,
  },
  {
    kind: 'clause after value',
    boolean: true,
    where: 'any',
    shape: /^(?:s|[a(]*n)[)c]*(?:BY[nw(d]|H[nwdsf(]|U[q]?[(E]|IOs)/,
    also: (matched) => /\d\s*[),]*$|[a-z(]$|union|into/i.test(matched) && !/limit\s+[a-z]/i.test(matched),
  },
  {
    kind: 'file access',
    where: 'any',
    shape: /I[O]s|d\(s/,
    also: (matched) => /into\s|load_file|lo_import|pg_read/i.test(matched),
  },
  {
    kind: 'case expression',
    where: 'any',
    shape: /C[nsw(]?.{0,60}h.{1,80}j.{1,80}e/,
    also: (matched) => /\bcase\b.{0,60}\bwhen\b.{1,120}\bthen\b/is.test(matched) && /[=<>(]/.test(matched),
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
];

/** Structures that need a word such as SELECT, and those that a condition makes. */
export const statementStructures = structures.filter((structure) => !structure.boolean);
export const conditionStructures = structures.filter((structure) => structure.boolean);

/**
 * What in the text injects into SQL, whether it lands outside of a string or inside one of either quote.
 * Linear: each context is read once, at most 256 tokens.
 */
export function sqlStructures(sent: string, group: readonly Structure[]): Finding[] {
  // `union+select` without a single space was encoded once more than it was decoded.
  const text =
    sent.includes('+') && !sent.includes(' ') && !sent.includes('://') ? sent.replaceAll('+', ' ') : sent;
  // Conditions stand where the text, or what follows its first quote, begins; only short texts are read whole.
  const maxTokens = group === conditionStructures && text.length >= 400 ? 48 : 256;
  const found = new Map<SqlFinding, Finding>();
  for (const context of contexts(text)) {
    const tokens = readSql(text, context, maxTokens);
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
      found.set(kind, { kind, span });
    }
  }
  return [...found.values()];
}

function contexts(text: string): SqlContext[] {
  const found: SqlContext[] = [''];
  if (text.includes("'")) found.push("'");
  if (text.includes('"')) found.push('"');
  return found;
}

function withoutComments(tokens: SqlTokens): SqlTokens {
  if (!tokens.shape.includes('c')) return tokens;
  const kept = [...tokens.shape].flatMap((letter, index) => (letter === 'c' ? [] : [index]));
  return {
    shape: kept.map((index) => tokens.shape[index]).join(''),
    starts: kept.map((index) => tokens.starts[index] ?? 0),
    ends: kept.map((index) => tokens.ends[index] ?? 0),
  };
}

/**
 * Five plain words in a row before it, or a name right before SELECT: somebody writes about SQL. What lands outside of a string must start
 * where the value starts; what lands inside one is read in that context too.
 */
function isToldInProse(shape: string, index: number): boolean {
  const before = shape.slice(0, index);
  return /[wy?]{5}/.test(before) || (shape[index] === 'E' && /[w?.]$/.test(before));
}

/** 'student union select committee' is a sentence: a real one selects columns, not one more word of prose. */
function unionIsNoProse(matched: string, text: string): boolean {
  if (!/select[\s(]+[a-z_\x80-\xff]+$/i.test(matched)) return true;
  return (
    /\bfrom\b|,|--|#|\/\*/i.test(text.slice(text.indexOf(matched) + matched.length)) ||
    /['"`)\d]\s*union/i.test(text)
  );
}

/** 'select one from the list' is one too. */
function selectIsNoProse(matched: string): boolean {
  return /[*,(@;'"]|--|#|\bwhere\b|information_schema|\.\w|select\s+(?:\d|null)/i.test(matched);
}

function dangerIsReal(matched: string, text: string): boolean {
  if (/^(?:sys|master|msdb)\.\w/i.test(matched)) return /\b(?:exec|select|from)\b/i.test(text);
  if (/^(?:elt|polygon|linestring|multipoint|dblink|schema_name|row_count)\b/i.test(matched))
    return /select|concat/i.test(text);
  if (!/^sleep\b/i.test(matched)) return true;
  // sleep(…) is a function of shells and of half of all languages too: here it stands where a value of SQL does.
  if (/[{}\n]/.test(text)) return false;
  const before = text.slice(0, text.indexOf(matched)).trimEnd();
  return (
    /sleep\s*\(\s*['"(]{0,2}[\d.]+['"]?\s*[),*/+-]/i.test(text) &&
    /(?:^|\b(?:and|or|xor|select|if|then|else|where|when|by|like|null|\d+)|['"(,=|&+*/;<>-])$/i.test(before)
  );
}

/** In prose an apostrophe is followed by a word; here a logical operator follows, and a comparison it. */
function quotedConditionIsReal(matched: string, text: string): boolean {
  // Without a logical operator only a short value that is all comparison counts: `1' like '1`.
  if (!/\b(?:and|x?or|div|mod)\b|\|\||&&|\b\d*or\b/i.test(matched)) {
    return text.length < 60 && /^[^'"]{0,30}['"][\s)]*(?:=|like|r?like|regexp|-)/i.test(text);
  }
  if (/^[^'"]*['"][\s)]*(?:and|or)\s+['"]?$/i.test(matched)) return false;
  return (
    !/^[^'"]*["'][\s)]*(?:and|x?or|\|\||&&)\s+\w+\s+(?:is|in|like|between)\s+\w+$/i.test(matched) ||
    /--|#|'\s*=|\bnull\b/i.test(text)
  );
}

/** `admin'--` ends a statement; `it's #1` and `rock 'n' roll -- live` don't. */
function commentEndsIt(matched: string, text: string): boolean {
  if (text.length > 200) return false;
  return /['"][\s)]*;?\s*(?:--[\s+-]*|#\s*|\/\*.{0,20})$/s.test(matched);
}
