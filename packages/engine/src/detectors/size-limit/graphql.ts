import type { ParsedRequest } from '../../parse/index.ts';
import type { StructureFinding } from '../../rules/index.ts';

/**
 * How much one request may ask of a GraphQL server. Clients that put queries together stay far below: introspection
 * nests 13 deep, batching links send 10 operations.
 */
export const graphqlLimits = {
  operations: 20,
  /** the same field under different aliases in one document */
  aliasesOfField: 100,
  depth: 30,
  /** one after the other */
  directives: 8,
  /** the same field one after the other */
  repeatedFields: 100,
} as const;

const maxDocument = 65536;
const opening = /^\s{0,40}(?:query|mutation|subscription|fragment|\{)/;
const openers = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /[\sqmsf{]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const documentField = /^(?:\d{1,4}\.)?query$/;

/** What in a request goes beyond {@link graphqlLimits}; undefined when nothing does, or it holds no GraphQL. */
export function graphqlFlood({ values, body }: ParsedRequest): StructureFinding | undefined {
  let operations = 0;
  for (const { part, name, text, isName } of values) {
    // The path to a value is put together when somebody looks at it, so the text is asked first.
    if (isName || openers[text.charCodeAt(0) & 255] !== 1 || !opening.test(text)) continue;
    const named = (part === 'json' || part === 'query' || part === 'form') && documentField.test(name);
    if (!named && !(part === 'body' && body.length === text.length)) continue;
    operations += 1;
    const excess =
      operations > graphqlLimits.operations ? 'operations' : measured(text.slice(0, maxDocument));
    if (excess !== undefined)
      return {
        target: name === '' ? part : `${part}:${name}`,
        value: `GraphQL: more than ${graphqlLimits[excess]} ${words[excess]}`,
      };
  }
  return undefined;
}

const words: Readonly<Record<keyof typeof graphqlLimits, string>> = {
  operations: 'operations in one request',
  aliasesOfField: 'aliases of one field',
  depth: 'levels',
  directives: 'directives in a row',
  repeatedFields: 'repetitions of a field',
};

const token = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|@\w+|[A-Za-z_]\w*|[^\s,]/g;

/** Linear: every token is looked at once. */
function measured(document: string): Exclude<keyof typeof graphqlLimits, 'operations'> | undefined {
  const aliases = new Map<string, number>();
  let depth = 0;
  let brackets = 0;
  let directives = 0;
  let repeated = 0;
  let before = '';
  let last = '';
  for (const [found] of document.matchAll(token)) {
    const first = found.charAt(0);
    if (first === '#') continue;
    directives = first === '@' && found.length > 1 ? directives + 1 : 0;
    if (directives > graphqlLimits.directives) return 'directives';
    if (first === '{') depth += 1;
    else if (first === '}') depth -= 1;
    else if (first === '(') brackets += 1;
    else if (first === ')') brackets -= 1;
    if (depth > graphqlLimits.depth) return 'depth';
    if (brackets === 0 && /[A-Za-z_]/.test(first)) {
      if (last === ':') {
        const count = (aliases.get(found) ?? 0) + 1;
        if (count > graphqlLimits.aliasesOfField) return 'aliasesOfField';
        aliases.set(found, count);
      }
      repeated = found === before ? repeated + 1 : 0;
      if (repeated >= graphqlLimits.repeatedFields) return 'repeatedFields';
      before = found;
    }
    last = found;
  }
  return undefined;
}
