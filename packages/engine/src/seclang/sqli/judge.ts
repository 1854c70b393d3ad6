import { verbose } from '../../verbose.ts';
import { foldTokens } from './fold.ts';
import { type Quote, readTokens, type SqlToken } from './tokens.ts';

/** A structure that injected SQL has, over the letters of folded tokens, the text's start being theirs. */
const structures: readonly RegExp[] = [
  // a second query joined to the first, or in brackets
  /U\(?E/,
  /(?:^|[1sn)&of(k,B;])\(E/,
  /^[1s]?\)?&\(?E/,
  // something that MySQL executes inside a comment
  /X/,
  // a condition after the value: quote closed or number ended
  /^s\)?&\(?(?:1|f\(|v|\(|s.)/,
  /^s\)?&\(?n(?:[ok&]|\(?E)/,
  /^1\)?&\(?(?:1|s|v|f\(|\(E|n[ok])/,
  /^[nv]\)?&\(?(?:f\(|\(?E|\(?1[o&)])/,
  /^s\)?&\(?n\)*;?c$/,
  /^s\)?o(?:1|f\(|v|\()/,
  /^1[o,]f\(/,
  /^v\)?&\(?[1sv]/,
  /^s\)?o?n?&?\(?f\(/,
  // a function that only a database has, called at once
  /^f\((?:[1sv]|f\(|E)/,
  // ordering, limiting and grouping after the value
  /^[1s]\)?B\(?(?:[1fv(]|n(?:\(|c|$))/,
  // a second statement
  /^[1sn]?\)?;+(?:E[^n;]|E.*[ko1s(]|T)/,
  /^[1s]\)?T[nskv(]/,
  /^T(?:k?[nv]|s)(?:[(;osc]|k[n1s])|^T(?:[(;c]|k?s)/,
  // a whole statement as a value
  /^E(?:o|1|v|s|f\(|\()/,
  /^En?(?:k|,)+\(?[nfv].?(?:[k;c(o&B]|$)/,
  /^[1sn]\)?k(?:s|n)?k?s?c/,
  // writing the result to a file
  /k.?s$/,
];

const worthJudging = verbose('i')`
  ['"\`();#=<>|&@*]
  |--
  |\/\*
  |(?:\b|\d)(?:
      x?or|and|union|intersect|except|minus|select|order|group|having|limit|insert|update|delete|drop|exec|waitfor
      |rlike|div|procedure|into
    )\b
`;

/**
 * Whether a text injects SQL, read three ways: as it stands, and as what follows an opened quote of either
 * kind. The idea of judging a folded sequence of token types is libinjection's; tokens, folding and
 * structures are our own.
 * @returns the letters that were judged, or undefined
 * @see Galbreath, New techniques in SQLi obfuscation, DEF CON 20
 */
export function findSqlInjection(text: string): string | undefined {
  // Without any of these a value is one word or a sentence.
  if (!worthJudging.test(text)) return undefined;
  const contexts: Quote[] = [''];
  if (text.includes("'")) contexts.push("'");
  if (text.includes('"')) contexts.push('"');
  for (const inside of contexts) {
    const verdict = judge(text, inside);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** What injects does so at once; what comes after this many tokens is data that happens to look like it. */
const decisive = 8;

function judge(text: string, inside: Quote): string | undefined {
  const tokens = readTokens(text, inside);
  // A quote that never closes leaves nothing outside of it.
  if (inside !== '' && (tokens.length < 2 || tokens[0]?.closed === false)) return undefined;
  const folded = foldTokens(tokens);
  const shape = folded.map(({ letter }) => letter).join('');
  if (endsEarly(folded, shape, inside) || closesBoth(folded, shape, inside)) return shape;
  if (comparesNumbers(tokens)) return shape;
  if (/^[sn1v]&[n1sv]$/.test(shape) && tokens.length === 3) return undefined;
  const start = shape.slice(0, decisive);
  return structures.some((structure) => isMeant(structure, start, text)) ? start : undefined;
}

/** `… or 1=1`: after a logical operator, one number or string is compared with another. */
function comparesNumbers(tokens: readonly SqlToken[]): boolean {
  return /&\(*[1s]o[1s]/.test(
    tokens
      .slice(0, 2 * decisive)
      .map(({ letter }) => letter)
      .join(''),
  );
}

/** Prose says `union` and `into` too: a keyword alone is not enough where the structure hangs on it. */
function isMeant(structure: RegExp, shape: string, text: string): boolean {
  if (!structure.test(shape)) return false;
  return structure.source !== 'k.?s$' || /\binto\s+(?:out|dump)file\b/i.test(text);
}

/** `admin'--`, `1/*`, `1 -- `: a comment right after the value cuts off the rest of the statement. */
function endsEarly(folded: readonly SqlToken[], shape: string, inside: Quote): boolean {
  const comment = folded.at(-1);
  if (comment?.letter !== 'c') return false;
  if (/^s\)*;?c$/.test(shape)) return inside !== '';
  if (/^1\)*;?c$/.test(shape)) return comment.text.startsWith('/*') || comment.text.startsWith('--');
  return /^n\)*c$/.test(shape) && comment.text.startsWith('/*') && !comment.text.endsWith('*/');
}

/** `' or '`, `'='`: both ends stand in the statement's own quotes, with an operator between. */
function closesBoth(folded: readonly SqlToken[], shape: string, inside: Quote): boolean {
  const last = folded.at(-1);
  if (inside === '' || last?.letter !== 's' || last.closed !== false) return false;
  return /^s\)?[o&]\(?(?:[n1v?fo&(),]*[o&])?s$/.test(shape);
}
