import { jsonUnescape } from './json.ts';

/** A GraphQL document taken apart. */
export interface GraphqlDocument {
  readonly strings: readonly string[];
  /** the document without what stands in its strings */
  readonly frame: string;
}

const opening =
  /^\s{0,40}(?:(?:query|mutation|subscription)\b[^{]{0,2000}\{|fragment\s{1,9}\w{1,80}\s{1,9}on\s|\{\s{0,40}\w{1,80}\s{0,40}[({:\w])/;
const nesting: Readonly<Record<string, number>> = { '{': 1, '}': -1 };
const token =
  /[\s,]+|#[^\n]*|"""(?:[^\\"]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[\w.-]+|[!$&()[\]{}:=@|]/sy;

/** In a block of three quotes a single one is itself, and nothing but three of them is escaped (§2.9.4). */
function stringOf(token: string): string {
  if (!token.startsWith('"""')) return jsonUnescape(token.slice(1, -1));
  return token.slice(3, -3).replaceAll('\\"""', '"""');
}

/**
 * The strings of a GraphQL document, as an application receives them. Strings stand where values do: behind a
 * colon, in a list, or (in blocks of three quotes) as a description.
 * @returns undefined when the text is no document or holds no string, and must be judged as it stands
 * @see GraphQL specification, October 2021, §2
 */
export function readGraphql(text: string): GraphqlDocument | undefined {
  if (!text.includes('"') || !opening.test(text)) return undefined;
  const strings: string[] = [];
  let frame = '';
  let depth = 0;
  let listDepth = 0;
  let before = '';
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return undefined;
    const first = found.charAt(0);
    if (/[\s,#]/.test(first)) {
      frame += found;
      continue;
    }
    if (first === '"') {
      if (!/[:=[]/.test(before) && (before !== '"' || listDepth === 0)) return undefined;
      strings.push(stringOf(found));
    }
    depth += nesting[first] ?? 0;
    listDepth += first === '[' ? 1 : first === ']' ? -1 : 0;
    frame += first === '"' ? '""' : found;
    before = first;
  }
  return depth === 0 && strings.length > 0 ? { strings, frame } : undefined;
}
