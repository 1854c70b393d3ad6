import { verbose } from '../../verbose.ts';

/** 'student union select committee' is a sentence: a real one selects columns, not one more word of prose. */
export function unionIsNoProse(matched: string, text: string): boolean {
  // A phrase in quotes, as search engines take it
  if (isQuotedPhrase(text)) return false;
  if (!/select[\s(]+[a-z_\x80-\xff]+$/i.test(matched)) return true;
  // Two words before FROM and nothing that only SQL has: 'union select committee members from all parties'
  if (/^[^'"`)\d]*\bunion\s+(?:all\s+)?select\s+[a-z]+\s+[a-z]+\s+from\s[a-z\s]+$/i.test(text)) return false;
  return (
    /\bfrom\b|,|--|#|\/\*/i.test(text.slice(text.indexOf(matched) + matched.length)) ||
    /['"`)\d]\s*union/i.test(text) ||
    // `id) FROM users UNION SELECT password`, with the host's own FROM behind it
    /[)'"`]\s*from\s+[\w.]{1,60}\s+union/i.test(text)
  );
}

/** With no other quote of its kind the rest would be a string if these two closed and opened one. */
export function isQuotedPhrase(text: string): boolean {
  const quote = /(["'])union\s+(?:all\s+)?select\1(?:\s|$)/i.exec(text)?.[1];
  return quote !== undefined && text.split(quote).length === 3;
}

/** 'select one from the list' is one too; a statement with placeholders is a prepared one that somebody shows or logs. */
export function selectIsNoProse(matched: string, text: string): boolean {
  const from = text.indexOf(matched);
  const statement = text.slice(from, from + matched.length + 60).split(/["\n]/, 1)[0] ?? '';
  if (
    /=\s*(?:\?|\$\d{1,2}|:\w{1,30})(?![\w:])/.test(statement) &&
    !/=\s*['"\d]|--|#|\/\*|\bunion\b/i.test(statement)
  )
    return false;
  return /[*,(@;'"]|--|#|\bwhere\b|information_schema|\.\w|select\s+(?:\d|null)/i.test(matched);
}

/** Columns of PostgreSQL's catalogue are also told ('the size of pg_stat_activity.query'), and `sysusers.d` is a folder. */
export function isAskedOf(matched: string, text: string): boolean {
  return (
    !/^(?:pg_\w+|sysusers)\./i.test(matched) || /\b(?:exec|select|from|table|update|into|join)\b/i.test(text)
  );
}

export function dangerIsReal(matched: string, text: string): boolean {
  if (
    /^benchmark\s+\(\s*[a-z]+[\s):,]/i.test(
      matched +
        text.slice(text.indexOf(matched) + matched.length, text.indexOf(matched) + matched.length + 20),
    )
  )
    return false;
  // 'Sys. de fichiers', 'in /proc/sys. And' and a mail address end in such a word.
  if (/^(?:sys|master|msdb)\.\s/i.test(matched)) return false;
  if (/^(?:sys|master|msdb)\.\w/i.test(matched))
    return /\b(?:exec|select|from)\b/i.test(text) && !/[\w@/-]$/.test(text.slice(0, text.indexOf(matched)));
  if (!isAskedOf(matched, text)) return false;
  // 'une analyse (les options)': the function is one of PROCEDURE alone
  if (/^analyse\s/i.test(matched)) return /\bprocedure\b/i.test(text);
  if (
    /^(?:elt|(?:multi)?polygon|(?:multi)?linestring|multipoint|geometrycollection|dblink|schema_name|row_count)\b/i.test(
      matched,
    )
  )
    return /select|concat/i.test(text) || (/\bsleep\b/i.test(text) && sleepIsReal('sleep', text));
  return !/^sleep\b/i.test(matched) || sleepIsReal(matched, text);
}

function sleepIsReal(matched: string, text: string): boolean {
  // sleep(…) is a function of shells and of half of all languages too: here it stands where a value of SQL does.
  if (/[{}\n]/.test(text)) return false;
  if (
    /^(?:[^'"]*['"])?\s*sleep\s*\([\d.]+\)\s+(?:hours?|hrs?|min(?:ute)?s?|sec(?:ond)?s?|days?|nights?|in\s[a-z]|python|java|bash|php|function)\b/i.test(
      text,
    )
  )
    return false;
  const before = text.slice(0, text.toLowerCase().indexOf(matched.toLowerCase())).trimEnd();
  return (
    /sleep\s*(?:\/\*[^*]{0,20}\*\/\s*)?\(\s*['"(]{0,2}[\d.]+(?:e-?\d{1,2})?['"]?(?:\s*[),*/+-]|\s[\d.])/i.test(
      text,
    ) &&
    /(?:^|\b(?:and|or|xor|select|if|then|else|where|when|by|r?like|regexp|div|mod|null|\d+)|['"(,=|&+*/;<>!~^%-])$/i.test(
      before,
    )
  );
}

/** In prose an apostrophe is followed by a word; here a logical operator follows, and a comparison it. */
export function quotedConditionIsReal(matched: string, text: string): boolean {
  // `"is" and 'between'` name words; what stands behind them has to end the query
  if (/^[^'"]*['"][\s)]*(?:is|between|glob|sounds)\s*['"]/i.test(matched)) return false;
  // Without a logical operator only a short value that is all comparison counts: `1' like '1`.
  if (!/\b(?:and|x?or|div|mod)\b|\|\||&&|\b\d*or\b/i.test(matched)) {
    return (
      text.length < 60 &&
      /^[^'"]{0,30}['"][\s)]*(?:=|like|r?like|regexp|-)/i.test(text) &&
      isPlainValue(text.replace(/['"=#]/g, ''))
    );
  }
  if (/^[^'"]*['"][\s)]*(?:and|or)\s+['"]?$/i.test(matched)) return false;
  return (
    !/^[^'"]*["'][\s)]*(?:and|x?or|\|\||&&)\s+\w+\s+(?:is|in|like|between)\s+\w+$/i.test(matched) ||
    /--|#|'\s*=|\bnull\b/i.test(text)
  );
}

/**
 * 'It is worth a ton of code." --': what somebody said, before the name is told. No-break spaces are letters here, and
 * nothing that parts words: a text of them would be read in as many ways as it is long, to the third power.
 */
const isEndOfQuotation = /[a-z\x80-\xff'][\x20\t\n,]+[a-z\x80-\xff']{2,}[.!?]{1,3}"\s{1,3}--\s*$/i;

/** `admin'--` ends a statement; `it's #1` and `rock 'n' roll -- live` don't. */
export function commentEndsIt(matched: string, text: string): boolean {
  if (text.length > 200 || isEndOfQuotation.test(text)) return false;
  if (/['"][\s)]*;?\s*--[\s+-]*$/.test(matched)) return true;
  return (
    /['"][\s)]*;?\s*(?:#\s*|\/\*.{0,20})$/s.test(matched) && isPlainValue(matched.replace(/['"][^'"]*$/, ''))
  );
}

/**
 * Whether at most one sign stands in it that values seldom hold: names, numbers, addresses of mail in UTF-8. Passwords
 * hold many, and sooner or later one ends as an injection does.
 */
export function isPlainValue(text: string): boolean {
  return /^(?:(?:[\w\t-\r @.+,%()*-]|[\xc2-\xf4][\x80-\xbf]{1,3}){0,200}[^\w]?){2}$/.test(text);
}

/** No word between the quote and the sign: `it's -1` and `'90s & '80s` are writing. */
export const arithmeticBreakout = verbose('i')`
  ^(?:-\d{1,6}|[\w.]{0,12})(['"])[)]{0,3}(?:
    \s{0,3}[-+*/%^&|<>=~!]{1,2}\s{0,3}[(]?\d{1,9}\)?\s{0,3}(?:#|--|=\s?\d|or\s['"])
    |[-+*/^&|]{1,2}(?:\d{1,4}[-+*/^&|]{0,2})?\1\w{0,12}$
    |(?:<=>|[<>!]=|<>|[<>])\1\d{1,9}$
    |=\d\s?[-+*/]\1\d$
    |[<>]?=\d;?\s?(?:#|--)
    |\|\|\w{0,12}\1
    |\s?in\s?\(\d{1,9}\)\s?(?:#|--)
    |\s?or\s['"]\w{0,9}['"]\s~
  )
`;

/** Comments in it part words as spaces do, and what MySQL executes in one stands as if there were none. */
export function spaced(text: string): string {
  const read =
    text.includes('/*!') || text.includes('/*M!') ? text.replace(/\/\*M?!\d{0,6}|\*\//g, ' ') : text;
  return /\/\*|--|#/.test(read)
    ? read.replace(/\/\*(?:[^*]|\*(?!\/)){0,80}(?:\*\/){1,3}|(?:--|#)[^\n]{0,80}\n/g, ' ')
    : read;
}

/** A comparison or a call in it, or single words to choose from: `case when 1 then 2 else 3 end`. */
export function casesAreChosen(matched: string): boolean {
  return (
    /[=<>(]/.test(matched) ||
    /['"\d~].*\bthen\s+[\w'"-]{1,12}\s+else\s+[\w'"-]{1,12}\s+end/is.test(spaced(matched))
  );
}
