import { verbose } from '../../verbose.ts';
import type { SqlFinding } from './findings.ts';
import type { SqlContext } from './lexer.ts';

/** What a script of statements holds as much as an injection does. */
const ofScripts: ReadonlySet<SqlFinding> = new Set([
  'statement',
  'stacked statement',
  'union select',
  'subquery',
  'system catalogue',
  'case expression',
]);
/** A statement where a text begins: what lands there has no query before it that it could lengthen. */
const beginsStatement = verbose('i')`
  ^\s*(?:(?:--|#)[^\n]*\n\s*)*(?:
    select\s+[\w*@(]|with\s+(?:recursive\s+)?\w+\s*(?:\([\w,\s]{1,80}\)\s*)?as\b|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s
    |(?:create|alter|drop)\s+\w+\s+[\w\`"[]|begin\s*;|explain\s|use\s+\w+\s*;|set\s+(?:\w+\s*=|names\s)
    |start\s+transaction
  )
`;
/** A comment with nothing in it swallows what the application would have written after it. Read backwards from the end. */
const swallows = /$(?<=--[\s+-]*|#\s*|\/\*\s*)/;

/** A statement written in hexadecimal digits, so that nobody reads it, and run. */
const runsHidden =
  /=\s*(?:cast\s*\(\s*)?0x[0-9a-f]{8,}[^\n]{0,200}\bexec(?:ute)?\b|\bprepare\s+\w+\s+from\s+0x[0-9a-f]{8,}/i;

/** An injection lengthens or ends a statement of its host; one that stands by itself is code that somebody sends. */
export function standsAlone(
  kind: SqlFinding,
  context: SqlContext,
  text: string,
  [start]: readonly [number, number],
): boolean {
  const catalogue =
    kind === 'dangerous function' && /^(?:information_schema|pg_catalog)\b/i.test(text.slice(start));
  if (!(ofScripts.has(kind) || catalogue) || swallows.test(text) || closesTooMuch(text)) return false;
  if (runsHidden.test(text)) return false;
  if (context === '' && beginsStatement.test(text)) return true;
  return (
    kind === 'statement' &&
    !/^[;)]|[;)]\s*$/.test(text.slice(Math.max(0, start - 8), start) + text.charAt(start))
  );
}

/** A parenthesis that this text did not open is one of its host's: `select 1) union select …`. */
function closesTooMuch(text: string): boolean {
  let open = 0;
  for (const [parenthesis] of text.matchAll(/[()]/g)) {
    open += parenthesis === '(' ? 1 : -1;
    if (open < 0) return true;
  }
  return false;
}
