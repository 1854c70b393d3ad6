import { verbose } from '../../verbose.ts';
import { longText } from './condition-head.ts';
import type { Structure } from './findings.ts';
import { spaced } from './prose.ts';
import { commonFunctions } from './words.ts';

/*
 * What stands behind the value and makes the host's query whole again: a comment that swallows the rest, or a quote or
 * parenthesis opened where the host closes one. Prose and passwords hold operators too; they don't end like this.
 */

/** A comment with next to nothing in it, where the text ends; read from there backwards, so each byte once. */
const swallowsRest = /$(?<=--(?:[\s+-]*|\s?\w{1,2}\s*)|(?<!\b[cf])#\s?\w{0,2}\s*|\/\*\s*)/i;

/** A quote is opened behind an operator, and what is in it is short: the host closes it. */
const reopensQuote = verbose('i')`
  (?:\b(?:and|x?or|like|glob|rlike|regexp|div|mod|in|is)|=|<>|!=|[<>]=?|\|\||&&|[-+*/%^&|,(])\s{0,3}(['"])[\w%.]{0,12}$
`;

/** Words of SQL that stand between two operands, or before the first. */
const betweenOperands =
  'and|x?or|div|mod|not|r?like|ilike|regexp|glob|similar|sounds|is|isnull|notnull|in|between|collate|member|at|union|intersect|except|minus|where|from|order|group|limit|offset|fetch|having|window|into|for|lock|procedure|case|exists|binary|interval|date|time|timestamp|prior|distinct|all|any|some|row';

/**
 * A value of few words, then the quote that ends it: nobody writes `'and'` right behind a letter, but for 'la montre d'or blanc':
 * what two words follow that no operator joins is no condition.
 */
const value = String.raw`^(?![^'"]{0,40}\b[dl]'or\s+(?!(?:${betweenOperands})\b)[a-z\d\x80-\xff]+\s+(?!(?:${betweenOperands})\b)[a-z\x80-\xff]{2,})(?:[\w\s.@%+\x80-\xff-]{0,40}[\w.%@\x80-\xff])?['"][\s)\xa0]{0,9}`;
/** A word that joins conditions or compares, where SQL has one. */
const wordBehindQuote = new RegExp(
  String.raw`${value}(?:x?or|and|div|mod|r?like|regexp|glob|is|in|between|not|sounds)(?![\w-])`,
  'i',
);
/** The same as a sign, which needs a group or a call behind it, and `<b` is markup. */
const signBehindQuote = new RegExp(
  String.raw`${value}(?:\|\||&&|<(?![a-z])|[<>=!]{2,3}|[>=]|[-+*/%^&|])\s{0,9}[!~-]{0,2}(?:\([^#]*\)|\w{2,30}\s{0,3}(?:\([^#]*\)|(?:and|or|like|is|in)\b|[<>=]))`,
  'i',
);
/** Taken away before one looks for more than it. */
const firstOperator = /^[\s)]{0,9}(?:[a-z]{2,7}\b|[-+*/%^&|<>=!]{1,3})/i;

/** Something is computed or compared: a call, a comparison, a number. Names alone are prose. */
const computes = /\w\(|[=<>~]|['"\s(,=|&^-]\d|\b(?:like|between|in|glob|is|similar)\b|@@\w/i;

/** The host opened one before and closes one behind, so what stands between holds an even number. */
function isEven(text: string, quote: string): boolean {
  return text.split(quote).length % 2 === 1;
}

/** How a sentence begins: 'Love' or hate -- '. */
const namesFirst = /^[A-Z][a-z]{2,20}['"]\s/;

function conditionEndsQuery(_matched: string, sent: string): boolean {
  return endsQuery(sent, !namesFirst.test(sent));
}

function namedConditionEndsQuery(_matched: string, sent: string): boolean {
  return namesFirst.test(sent) && endsQuery(sent, true);
}

/** @param namesAlone whether `or id-- ` is one */
function endsQuery(sent: string, namesAlone: boolean): boolean {
  if (sent.length >= longText) return false;
  const text = spaced(sent);
  const quote = /['"]/.exec(text)?.[0] ?? "'";
  const rest = text.slice(text.indexOf(quote) + 1);
  const swallows = swallowsRest.test(text);
  if (!swallows && !(reopensQuote.test(text) && isEven(text, quote))) return false;
  if (wordBehindQuote.test(text))
    return (
      computes.test(rest.replace(firstOperator, '')) ||
      (namesAlone && /^[\s)]{0,9}or\s+\w+\s{0,3};?\s{0,3}(?:--[\s-]*\w?|#)$/i.test(rest))
    );
  return (
    signBehindQuote.test(text) &&
    /\w{2}\s?\(|@@\w|\b(?:is|like|not|and|or|between|glob|null)\b|['\d]\)?\s?[=<>]{1,2}\s?[('\d]/i.test(rest)
  );
}

/** `1) or id or (1=2`: a list in prose, `1) one and (2) two`, has a word first, and closes what it opens. */
function reopensGroup(matched: string): boolean {
  return !/\([^()]*\)[^(]*$/.test(matched) || /\([^()]*$/.test(matched);
}

/** Nothing but a number or a name before the quote, and lists of strings have no call or query among them. */
function listReopens(_matched: string, text: string): boolean {
  const quote = /['"`]/.exec(text)?.[0] ?? "'";
  return (
    text.length < longText &&
    /\w\s?\(|\bcase\b/i.test(text) &&
    /^[\w.$@-]{0,40}['"`][\s)]{0,9},/.test(text) &&
    /,\s{0,9}\(?['"`][\w]{0,12}$/.test(text) &&
    isEven(text, quote)
  );
}

const goesOnAsProgram = new RegExp(
  String.raw`^\s*(?:\{|(?!(?:${betweenOperands}|as|asc|desc)\b)[a-z_$][\w.]*\s*[(=.])`,
  'i',
);

/** What an `if` of a program has not: two commas between its parentheses, and no block or statement behind them. */
function hasThreeArguments(matched: string, text: string): boolean {
  const from = text.indexOf(matched);
  const call = /(?:^|[\s,(=*/+-])i?if\s{0,3}(?:\/\*.{0,20}\*\/)?\(/i.exec(text.slice(from));
  if (!call) return false;
  let depth = 1;
  let commas = 0;
  let at = from + call.index + call[0].length;
  for (; at < text.length && depth > 0; at += 1) {
    const char = text[at];
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ',' && depth === 1) commas += 1;
  }
  return depth === 0 && commas === 2 && !goesOnAsProgram.test(text.slice(at));
}

const choosesByValue =
  /(?:^|[\s,(=*/+-])i?if\s{0,3}(?:\/\*.{0,20}\*\/)?\([\s(]{0,5}(?:not\s+|!)?(?:['"\d~]|(?:true|false|null)\b|@@|[a-z_]{3,30}\s?\(|\w{1,30}\s+is\s)/i;

/**
 * A number, then a word that joins or compares, or a sign with a group, or with a function of SQL: `10 - round(3) #`
 * and `3 in one --` are writing. The gate of conditions opens for each of these.
 */
const joinsNumber = new RegExp(
  String.raw`^[\s(+~!-]*(?:[\w.]{1,20}|\\N)[\s)]*(?:\|\||&&|(?:not\s+)?(?:x?or|and|div|mod|glob|is|between)\b|(?<=(?:\d|\\N|null)[\s)]*)(?:[-+*/%^&|=<>!]{1,3}|(?:not\s+)?in|(?:sounds\s+|r)?like|regexp)\s*\(|(?:not\s+)?(?:r?like|regexp|in|sounds)\b(?=.*(?:\b(?:and|x?or)\b|\|\||&&))|(?:[-+*/%^&|<>=!]{1,3}|(?:not\s+)?(?:r?like|regexp|in|sounds\s+like)\b)[\s(!~-]{0,6}(?:${[...commonFunctions].join('|')})\s?\()`,
  'i',
);

/** `1 or 2 (either way) --`, `6 or more (min 2) #`: words in brackets, a space before them, and no function or query. */
const aside = new RegExp(
  String.raw`(?<![\w.])\d{1,9}\s\((?!(?:${betweenOperands}|select|values|table|with)\b)[a-z]{2}|[a-z]\s\((?!(?:${betweenOperands}|select|values|table|with)\b)[a-z]{2,12}\s(?!(?:${betweenOperands}|as|using|desc|asc)\b)\w{1,12}\)`,
  'i',
);
const strings = /'[^']*'|"[^"]*"/g;

const end = '(?:;?K|$)';
const behindQuote =
  /^s[)]*(?:l|t?o|wo|[poa]{1,2}[at(]*(?:[nsfdCN@(]|w[lo]))[^;]{0,200}(?:[^;,(oalpt];{0,2}K|[oalp]s)$/;

export const restOfQuery: readonly Structure[] = [
  { kind: 'tautology', boolean: true, where: 'quoted', shape: behindQuote, also: conditionEndsQuery },
  {
    kind: 'named condition',
    boolean: true,
    where: 'quoted',
    shape: behindQuote,
    also: namedConditionEndsQuery,
  },
  {
    kind: 'comment ends statement',
    boolean: true,
    where: 'quoted',
    // `x' where 1=1-- `, `id",name from users-- `, `x',current_user)-- `, `x'-- a`
    shape:
      /^s[)]*(?:W[(t]*[wn.]+[)]*o[^;]{1,40}|(?:,[^;]{1,160})?F[w.]+|,(?:[nsNw@,]|[wfdN]\([ns]?\)){1,16}[)]+|,wo[nsN]|)[)]*;{0,2}K$/,
    also: (matched, text) =>
      text.length < 200 &&
      /^[\w.$@-]{0,30}['"`][\s)]{0,3}(?:,|where\b|from\b|;{0,2}--[\s-]{0,2}\w{0,2}$)|^(?:admin|root|user|test|guest|sa)\w{0,12}['"]#[a-z]$/i.test(
        spaced(text),
      ) &&
      swallowsRest.test(matched),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    // `if(1=1,id,price)`, `1-iif('a'='a',0,1)`, `id limit if(2=2,1,2)`: what is chosen hangs on values, not on names
    shape: /^(?:[(naw,*H]|BY){0,9}(?:f\([(]?n?,?)?f\([(t]*(?:[nsN@a(]|[fow]\(|wot?N).{0,200}/,
    also: (matched, text) =>
      text.length < longText && choosesByValue.test(matched) && hasThreeArguments(matched, text),
  },
  {
    kind: 'concatenated breakout',
    boolean: true,
    where: 'quoted',
    shape: /^s[)]*,.{1,160}[,(]s$/,
    also: listReopens,
  },
  {
    kind: 'concatenated breakout',
    boolean: true,
    where: 'quoted',
    // `'||current_setting('server_version')||'`, `'||user||'`
    shape: /^sp(?:[wNf]|[wfd]\([ns]?\)|T)(?:ps?|[)]*K)$/,
    also: (matched) =>
      /\w\s?\(|\b(?:current_|session_|system_)?user\b|\bcurrent_\w+|\bsysdate\b/i.test(matched) &&
      /['"]$|--/.test(matched),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    // a condition behind a number, and a comment: `1 or id=id-- `, `1)||1;#`, `-1)between(f(2))and 2-- `
    shape: /^[(a]*[nN][)]*(?:l|p|t?o|a(?:\(|[wfd]\())[^;?]{0,200}[^;,(oalpt?];?K$/,
    also: (matched, text) =>
      text.length < longText &&
      swallowsRest.test(matched) &&
      joinsNumber.test(spaced(text)) &&
      !aside.test(spaced(text).replace(strings, '1')) &&
      computes.test(spaced(matched).replace(/^[^a-z|&=<>]*/i, '')),
  },
  {
    kind: 'tautology',
    boolean: true,
    where: 'bare',
    shape: /^[(a]*[nN][)]+[lpoa].{0,160}\([^()]{1,40}$/,
    also: (matched, text) =>
      text.length < longText &&
      /(?:\d\s?[=<>]{1,2}\s?\d|'\s?=\s?')[\d']{0,9}$/.test(text) &&
      reopensGroup(matched),
  },
  {
    kind: 'condition',
    boolean: true,
    where: 'bare',
    // names compared: `1 or id between 1 and 9`, `1 or id in (1,2)`, `1||name like '%'`, `1 or strpos('a','b')>0`
    shape: new RegExp(
      `^[(a]*[nN][)]*(?:[lp](?:[t(]*(?:tn|an|N)|s)[)]*${end}|[lp][t(]*w(?:on(?:ln)${end}|o\\((?:[ns],){0,40}[ns]\\)[)]*${end}|ot?[nsN][)]*${end}|ow[)]*${end})|[lp][t(]*[wfd]\\([^;]{0,80}\\)[)]*t?ot?[nsN(]|[lp][t(]*[nN]o[wfd]\\(|[lpo][t(]*@|[lp]t?\\((?:[ns],)+[ns]\\)o\\(|[)]+[lp]w;?K$)`,
    ),
    also: namesAreCompared,
  },
];

function namesAreCompared(matched: string, text: string): boolean {
  if (text.length > 200) return false;
  if (/\bis\s+(?:not\s+)?null\W*$|\(\d[\d.,'\s]{1,40}\)\s?[=<>]{1,2}\s?\(/i.test(spaced(matched)))
    return true;
  if (/^[^()]{0,12}\)[^()]*$/.test(matched) && swallowsRest.test(matched)) return true;
  if (
    /^[\s\d.()e-]*(?:or|and|\|\||&&)\s*(?:'\d{1,3}'|[(\s]*(?:not\b|[~!-]\s?\d|true|false))/i.test(
      spaced(text),
    )
  )
    return true;
  const same =
    /\b([a-z_]\w{0,30})\s{0,3}=\s{0,3}([a-z_]\w{0,30})(?:\W*|[\s;)]{0,9}(?:--|#|\/\*).{0,160})$/is.exec(
      matched,
    );
  if (same) return same[1]?.toLowerCase() === same[2]?.toLowerCase();
  return /\bbetween\s+\d+\s+and\s+\d|\bin\s{0,3}\(|\|\||&&|(?:\w\w\w|\bpi)\([^;]{0,80}\)\s{0,3}(?:[<>=]|is\b|like\b)|@@\w|\d\s?[=<>]{1,2}\s?\w{2,20}\(/i.test(
    spaced(matched),
  );
}
